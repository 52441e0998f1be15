//! Regular languages as automata over classes of symbols.
