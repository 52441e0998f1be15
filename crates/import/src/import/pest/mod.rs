//! The notation of the parser generator pest (`.pest`), version 2.9, as its book and the crate
//! `pest_meta` have it. That crate parses the text.
//!
//! - **Layout.** `WHITESPACE` and `COMMENT` become the layout. What pest puts between the parts of
//!   sequences and repetitions of normal rules stands between tokens; atomic rules (`@`, `$`) are lexical.
//!   Where the parts are single letters or digits, layout may stand between them and need not, so such a
//!   run is a token with the layout written out. Silent rules (`_`) are rules like others. A rule with `!` that
//!   atomic ones use is there a second time for them, with its layout written out, and so is what it leads to.
//! - **Choice.** Ordered choice is choice. Where the order matters there is a warning: [`order`] says how that
//!   is told. So is it where a repetition takes what is to follow.
//! - **Predicates.** `!p ~ x` and `&p ~ x` are `x` without what `p` refuses, as `except`, and
//!   `(!p ~ x)*` ends where `p` begins, if all of it is regular. What can never be, by what may follow,
//!   is no loss. A predicate at the end of a token that asks for a word to end (`"if" ~ !ASCII_ALPHA`) is
//!   what tokens ask for anyway, where there is layout. Any other is left out with a warning.
//! - **Built-in rules**: all of them. Properties of Unicode are those of the `regex` crate. `SOI` and
//!   `EOI` are empty, with a warning where text could stand on their other side.
//! - **The stack** (`PUSH`, `PEEK`, `POP`, `DROP`, `PEEK_ALL`, `POP_ALL`, `PEEK[a..b]`) is an error where
//!   the start rule needs it. Tags are passed over; `///` documents a rule.
//!
//! The start rule is the first that begins with `SOI`, ends with `EOI` and is used by no other; or else the first
//! that is no layout.
//! Layout may stand before and after what is read, which pest allows only between `SOI`, the text and `EOI`
//! of a rule that is not atomic; elsewhere there is a warning.

mod builtin;
mod emit;
mod facts;
mod nesting;
mod order;
mod set;
mod syntax;
mod written;

use super::builder::Builder;
use super::links::Links;
use emit::Emitter;
use facts::Facts;
use pleach_core::grammar::{Name, Resolver};
use syntax::{Kind, Node, Syntax};

/// Reads a file.
pub(super) fn read(builder: &mut Builder, file: u32, _: &dyn Resolver) {
    builder.is_unicode(file);
    let text = builder.grammar.files[file as usize].text.clone();
    let Some(syntax) = syntax::read(builder, file, &text) else { return };
    let facts = Facts::of(&syntax);
    let start = start(&syntax, &facts);
    let layout = free(&facts, "layout");
    let mut emitter = Emitter::new(builder, &syntax, &facts, &layout, start);
    let comment = facts.rules.get("COMMENT").map(|&comment| syntax.rules[comment].body);
    let kinds = comment.map_or(Vec::new(), |body| match &syntax.nodes[body] {
        Node::Choice(kinds) => kinds.clone(),
        _ => vec![body],
    });
    let ends = facts.spaced[start] && edges(&syntax, start).1;
    if ends && kinds.into_iter().any(|kind| emitter.goes_on(kind).is_some()) {
        emitter.last = Some(free(&facts, "last_comment"));
    }
    for rule in 0..syntax.rules.len() {
        emitter.write(rule);
    }
    emitter.write_out();
    if facts.has_layout {
        emitter.write_layout();
    }
    order::warn(builder, &syntax, &facts);
    spaced_inside(builder, &syntax, &facts);
    let definition = &syntax.rules[start];
    if start > 0 {
        let name = Name { text: definition.name.clone(), span: definition.span };
        builder.grammar.start = Some(name);
    }
    if facts.has_layout {
        let edges = edges(&syntax, start);
        if edges != (true, true) || definition.kind == Kind::Atomic {
            let what =
                format!("rule `{}` is not a normal one from `SOI` to `EOI`", definition.name);
            let effect = "text before and after it may be layout, which pest does not read there";
            builder.lose(definition.span, what, effect);
        }
    }
    drop_unused(builder, &facts, start);
}

/// A name that no rule has.
fn free(facts: &Facts, name: &str) -> String {
    let mut name = name.to_owned();
    while facts.rules.contains_key(&name) {
        name.push('_');
    }
    name
}

/// Whether a rule begins with `SOI` and ends with `EOI`.
fn edges(syntax: &Syntax, rule: usize) -> (bool, bool) {
    let Node::Sequence(items) = &syntax.nodes[syntax.rules[rule].body] else {
        return (false, false);
    };
    let is = |item: Option<&usize>, edge: &str| {
        item.is_some_and(|&id| matches!(&syntax.nodes[id], Node::Name(name) if name == edge))
    };
    (is(items.first(), "SOI"), is(items.last(), "EOI"))
}

fn start(syntax: &Syntax, facts: &Facts) -> usize {
    let is_free = |rule: &usize| facts.users[*rule].iter().all(|user| user == rule);
    let mut rules = (0..syntax.rules.len()).filter(is_free);
    let whole = rules.clone().find(|&rule| edges(syntax, rule) == (true, true));
    let end = whole.or_else(|| rules.find(|&rule| edges(syntax, rule).1));
    let is_text = |&rule: &usize| !matches!(&*syntax.rules[rule].name, "WHITESPACE" | "COMMENT");
    end.or_else(|| (0..syntax.rules.len()).find(is_text)).unwrap_or(0)
}

/// Warns of rules with layout inside (`!`) that atomic ones use by way of rules that are both atomic and not.
fn spaced_inside(builder: &mut Builder, syntax: &Syntax, facts: &Facts) {
    for (rule, definition) in syntax.rules.iter().enumerate() {
        let is_inside = |&user: &usize| match syntax.rules[user].kind {
            Kind::Atomic => !facts.written[rule],
            _ => facts.inside[user] && (facts.spaced[user] || !facts.written[rule]),
        };
        if definition.kind == Kind::NonAtomic
            && facts.has_layout
            && facts.users[rule].iter().any(is_inside)
        {
            let what =
                format!("rule `{}` is not atomic, and an atomic one uses it", definition.name);
            let effect = "no layout stands in it there, though pest reads some";
            builder.lose(definition.span, what, effect);
        }
    }
}

/// Drops rules to which only predicates referred, now that they have become something else.
fn drop_unused(builder: &mut Builder, facts: &Facts, start: usize) {
    let links = Links::of(&builder.grammar);
    let layout = builder.grammar.layout.as_ref().map(|name| name.text.as_str());
    let is_root = |name: &str| match facts.rules.get(name) {
        // The layout may have the parts of one in its place.
        Some(_) if matches!(name, "WHITESPACE" | "COMMENT") => false,
        Some(&rule) => rule == start || facts.users[rule].iter().all(|&user| user == rule),
        None => layout == Some(name),
    };
    let names = builder.grammar.rules.iter().map(|rule| rule.name.text.as_str());
    let used =
        links.reached(names.filter(|name| is_root(name)).filter_map(|name| links.rule(name)));
    builder.keep(&used);
}
