//! Layout of the table: which rules are tokens, and which tokens would fuse.
//!
//! Two tokens fuse where reading the longest token at the start of the one followed by the other
//! could run past the first. With A the automaton of every token and of the layout together: `left`
//! leads from A's start to some states; if from one of them a beginning of `right`, or `right` and
//! whatever follows it, leads A to acceptance, the two need layout between them.
//!
//! Many languages refuse a word right after a number, as in `1and`, though the longest tokens are clear.
//! So a token that begins with a digit or ends in a word's character is separated from one that
//! begins with a word's character, whether or not they would fuse. Layout may always stand there.

use super::LoweringLimits;
use super::language::{Languages, alphabet};
use super::resolve::{NONE, Resolved};
use crate::grammar::{Diagnostic, Grammar};
use crate::regular::{Dfa, Nfa, StateId, Transition};
use crate::table::id::{OccurrenceId, RuleId};
use crate::table::layout::{Layout, Token};
use crate::table::production::Table;
use crate::table::symbol::SymbolKind;
use crate::table::terminal::{Terminal, encode};

/// More tokens than this are always separated: the relation is quadratic.
const MOST_TOKENS: usize = 4096;

/// Finds the layout of a table that is complete but for its layout and minima.
pub(super) fn build(
    grammar: &Grammar,
    names: &Resolved,
    languages: &Languages,
    rules: &[u32],
    table: &Table,
    limits: &LoweringLimits,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Option<Layout>, Diagnostic> {
    let Some(rule) = names.layout else { return Ok(None) };
    let span = grammar.layout.as_ref().map(|name| name.span).unwrap_or_default();
    let (automaton, cut) = languages.layout(grammar, names, rule, limits)?;
    if let Some(depth) = cut {
        let levels = match depth {
            1 => "one level",
            2 => "two levels",
            _ => "three levels",
        };
        let message = format!("layout that contains itself is followed {levels} deep");
        let help = "deeper nesting is neither produced nor read; write layout without recursion";
        warnings.push(Diagnostic::warning(span, message).help(help));
    }
    let symbols = separating(&automaton, limits).unwrap_or_default();
    let mut separator = Vec::new();
    for &symbol in &symbols {
        encode(grammar.encoding, symbol, &mut separator);
    }
    let separated = |from| symbols.iter().fold(from, |state, &it| automaton.step(state, it));
    let after = separated(automaton.start());
    let between = automaton.between(after, |state| separated(state) == after);
    if separator.is_empty() {
        warnings.push(
            Diagnostic::warning(span, "the layout rule derives no text, so it has no effect")
                .help("let it derive white space, or remove %layout"),
        );
        return Ok(None);
    }
    let mut lexical = vec![false; table.named_rule_count()];
    let mut sources = vec![NONE; table.named_rule_count()];
    for (source, &rule) in rules.iter().enumerate() {
        if rule != NONE {
            lexical[rule as usize] = names.lexical[source];
            sources[rule as usize] = source as u32;
        }
    }
    let syntactic = syntactic(table, &lexical);
    let tokens = table.terminal_count() + table.named_rule_count();
    let mut layout = Layout {
        automaton,
        separator,
        between,
        lexical,
        syntactic,
        tokens: tokens as u32,
        fusing: Vec::new(),
        glued: Vec::new(),
    };
    if tokens <= MOST_TOKENS {
        let superset =
            |rule: RuleId| languages.superset(grammar, names, sources[rule.index()], limits);
        layout.fusing = fusing(grammar, table, &layout, superset, limits).unwrap_or_default();
    }
    Ok(Some(layout))
}

/// The plainest shortest string of the layout that is not empty.
fn separating(layout: &Dfa, limits: &LoweringLimits) -> Option<Vec<u32>> {
    let space = u32::from(' ');
    if layout.contains([space]) {
        return Some(vec![space]);
    }
    let empty = Dfa::literal(&[], false, layout.alphabet(), &limits.automata).ok()?;
    layout.difference(&empty, &limits.automata).ok()?.shortest()
}

/// Which rules are used outside lexical rules.
fn syntactic(table: &Table, lexical: &[bool]) -> Vec<bool> {
    let mut syntactic = vec![false; lexical.len()];
    let mut queue = vec![table.start()];
    while let Some(rule) = queue.pop() {
        if lexical[rule.index()] || std::mem::replace(&mut syntactic[rule.index()], true) {
            continue;
        }
        let occurrences = occurrences(table, rule);
        queue.extend(occurrences.into_iter().filter_map(|it| table.target(it)));
    }
    syntactic
}

/// All occurrences in a named rule's body, those among them that are only read: a tree that was read has them.
fn occurrences(table: &Table, rule: RuleId) -> Vec<OccurrenceId> {
    let mut occurrences = Vec::new();
    let mut open = vec![rule];
    while let Some(rule) = open.pop() {
        for &item in table.all_alternatives(rule).flat_map(|id| table.items(id)) {
            match table.element(item).kind() {
                SymbolKind::Reference(occurrence) | SymbolKind::Terminal(occurrence) => {
                    occurrences.push(occurrence);
                }
                SymbolKind::Group(group) => open.push(group),
                _ => {}
            }
        }
    }
    occurrences
}

/// The bit matrix of tokens that fuse; none where the automata grow too large.
fn fusing(
    grammar: &Grammar,
    table: &Table,
    layout: &Layout,
    superset: impl Fn(RuleId) -> Result<Dfa, Diagnostic>,
    limits: &LoweringLimits,
) -> Option<Vec<u64>> {
    let tokens = tokens(grammar, table, layout, superset, limits)?;
    let mut nfa = Nfa::new(alphabet(grammar));
    let (start, accept) = (nfa.state(), nfa.state());
    nfa.dfa(start, &layout.automaton, accept, &limits.automata).ok()?;
    for (_, automaton) in &tokens {
        nfa.dfa(start, automaton, accept, &limits.automata).ok()?;
    }
    let all = Joined::new(nfa.determinize(start, accept, &limits.automata).ok()?);
    let endings: Vec<Vec<StateId>> =
        tokens.iter().map(|(_, left)| states_after(&all, left)).collect();
    let count = layout.tokens as usize;
    let mut bits = vec![0_u64; (count * count).div_ceil(64)];
    let mut memo = vec![None; all.automaton.state_count()];
    let wordlike: Vec<bool> = tokens.iter().map(|(_, left)| touches_words(left)).collect();
    for (right, automaton) in &tokens {
        memo.fill(None);
        let word = begins(automaton, is_word);
        for ((left, _), (ending, &wordlike)) in tokens.iter().zip(endings.iter().zip(&wordlike)) {
            let fuses = (word && wordlike)
                || ending.iter().any(|&state| {
                    *memo[state.index()].get_or_insert_with(|| runs_on(&all, state, automaton))
                });
            if fuses {
                let bit = left.0 as usize * count + right.0 as usize;
                bits[bit / 64] |= 1 << (bit % 64);
            }
        }
    }
    Some(bits)
}

/// The tokens that stand outside lexical rules, with their languages.
fn tokens(
    grammar: &Grammar,
    table: &Table,
    layout: &Layout,
    superset: impl Fn(RuleId) -> Result<Dfa, Diagnostic>,
    limits: &LoweringLimits,
) -> Option<Vec<(Token, Dfa)>> {
    let alphabet = alphabet(grammar);
    let mut seen = vec![false; layout.tokens as usize];
    let mut tokens = Vec::new();
    for rule in (0..table.named_rule_count() as u32).map(RuleId::new) {
        if !layout.is_syntactic(rule) {
            continue;
        }
        for occurrence in occurrences(table, rule) {
            let target = table.target(occurrence);
            let token = match (table.terminal_at(occurrence), target) {
                (Some(terminal), _) => layout.terminal_token(terminal),
                (None, Some(rule)) if layout.is_lexical(rule) => layout.rule_token(rule),
                _ => continue,
            };
            if std::mem::replace(&mut seen[token.0 as usize], true) {
                continue;
            }
            let automaton = match (table.terminal_at(occurrence), target) {
                (Some(terminal), _) => match table.terminal(terminal) {
                    Terminal::Literal { bytes, ignore_case } => {
                        Dfa::literal(bytes, ignore_case, alphabet, &limits.automata).ok()?
                    }
                    Terminal::Class { ranges } => Dfa::ranges(ranges, alphabet),
                    Terminal::Regular { automaton } => automaton.clone(),
                },
                (None, Some(rule)) => superset(rule).ok()?,
                (None, None) => continue,
            };
            tokens.push((token, automaton));
        }
    }
    Some(tokens)
}

/// Whether a symbol is of words and numbers, in ASCII.
fn is_word(symbol: u8) -> bool {
    symbol.is_ascii_alphanumeric() || symbol == b'_'
}

/// Whether a string of the token begins with such a symbol.
#[pleach_unhooked::unhooked]
fn begins(token: &Dfa, kind: fn(u8) -> bool) -> bool {
    (0..=0x7F)
        .filter(|&symbol| kind(symbol))
        .any(|symbol| !token.is_dead(token.step(token.start(), u32::from(symbol))))
}

/// Whether the token can begin with a digit or end in a symbol of words.
#[pleach_unhooked::unhooked]
fn touches_words(token: &Dfa) -> bool {
    let ends = |state| {
        (0..=0x7F)
            .filter(|&symbol| is_word(symbol))
            .any(|symbol| token.is_accepting(token.step(state, u32::from(symbol))))
    };
    begins(token, |symbol| symbol.is_ascii_digit()) || token.states().any(ends)
}

/// The automaton of the layout and of all tokens. Its classes are finer than those of every token, so one
/// symbol of each stands for it.
struct Joined {
    automaton: Dfa,
    /// By class.
    symbols: Vec<u32>,
}

impl Joined {
    fn new(automaton: Dfa) -> Self {
        let symbol = |class| automaton.class_symbol(class, 0).unwrap_or_default();
        let symbols = automaton.classes().map(symbol).collect();
        Self { automaton, symbols }
    }
}

/// The states of `all` after some string of `left`.
#[pleach_unhooked::unhooked]
fn states_after(all: &Joined, left: &Dfa) -> Vec<StateId> {
    let mut found = vec![false; all.automaton.state_count()];
    walk(all, all.automaton.start(), left, |state, at, _| {
        if left.is_accepting(at) {
            found[state.index()] = true;
        }
        false
    });
    all.automaton.states().filter(|state| found[state.index()]).collect()
}

/// Whether `all` can accept later when `right` follows in `state`.
#[pleach_unhooked::unhooked]
fn runs_on(all: &Joined, state: StateId, right: &Dfa) -> bool {
    walk(all, state, right, |state, at, steps| {
        (steps > 0 && all.automaton.is_accepting(state))
            || (right.is_accepting(at) && !all.automaton.transitions(state).is_empty())
    })
}

/// Walks `all` from a state along the strings of a token, through pairs that can still end in the
/// token's acceptance, until `stop` says so; gives whether it did.
#[cfg_attr(fuzzing, inline(always))]
fn walk(
    all: &Joined,
    from: StateId,
    token: &Dfa,
    mut stop: impl FnMut(StateId, StateId, usize) -> bool,
) -> bool {
    let mut seen = fxhash::FxHashSet::default();
    let mut stack = vec![(from, token.start(), 0)];
    while let Some((state, at, steps)) = stack.pop() {
        if stop(state, at, steps) {
            return true;
        }
        for &Transition { class, target: next } in all.automaton.transitions(state) {
            let after = token.step(at, all.symbols[class.index()]);
            if !token.is_dead(after) && seen.insert((next, after)) {
                stack.push((next, after, steps + 1));
            }
        }
    }
    false
}

impl Layout {
    /// Keeps layout from standing before some tokens.
    pub(super) fn glue(&mut self, tokens: impl IntoIterator<Item = Token>) {
        self.glued.resize(self.tokens as usize, false);
        for token in tokens {
            self.glued[token.0 as usize] = true;
        }
    }
}
