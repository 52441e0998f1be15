//! The tokens: which rule makes which, which of them the parser sees, and what each matches.
//!
//! A lexer takes the longest text that any rule of its mode matches, and of rules that match it the
//! first. So a rule does not match what an earlier one of its mode matches: that is taken from it
//! (`except`), where their automata say that there is such a text. Literals of parser rules come before
//! all rules.

use std::collections::{HashMap, HashSet};

use super::automata::{self, Automata, Budget};
use super::index::{self, Index};
use super::source::{Command, Source};
use super::text;
use crate::import::builder::Builder;
use crate::import::links::{settle, users};
use pleach_core::grammar::{Expr, ExprId, Span};
use pleach_core::regular::{Alphabet, Dfa};

/// Alternatives of one lexer rule that are treated alike.
pub(super) struct Entry {
    /// The lexer rule that it is of, with a number where that has several; none for a literal of the
    /// parser.
    pub(super) rule: Option<String>,
    /// The rule that it becomes.
    pub(super) own: String,
    /// What the parser calls it.
    pub(super) token: String,
    pub(super) mode: usize,
    pub(super) span: Span,
    /// What it matches, but for what earlier ones do; none where the text ends after it.
    pub(super) expr: Option<ExprId>,
    pub(super) at_end: Option<ExprId>,
    pub(super) hidden: bool,
    pub(super) more: bool,
    /// The modes that it leads to.
    pub(super) moves: Vec<Command>,
    pub(super) language: Option<Dfa>,
    /// What is to be taken from it.
    minus: Vec<ExprId>,
}

impl Entry {
    /// Whether the parser sees it.
    pub(super) fn is_visible(&self) -> bool {
        !self.hidden && !self.more && self.expr.is_some()
    }
}

/// The entries of a mode that were looked at.
#[derive(Default)]
struct Earlier {
    /// Those that are one literal each: a text, and whether letters stand for both cases.
    texts: Vec<(String, bool)>,
    known: HashSet<(String, bool)>,
    /// By their numbers in `texts`.
    literals: Index,
    /// The others, by their numbers in [`Lexer::entries`].
    others: Index,
}

impl Earlier {
    /// Whether an earlier literal matches all that a text does.
    fn knows(&self, text: &str, ignore_case: bool) -> bool {
        self.known.contains(&(text.to_ascii_lowercase(), true))
            || !ignore_case && self.known.contains(&(text.to_owned(), false))
    }

    fn add(&mut self, text: String, ignore_case: bool) {
        let known = if ignore_case { text.to_ascii_lowercase() } else { text.clone() };
        self.known.insert((known, ignore_case));
        self.texts.push((text, ignore_case));
    }
}

/// The lexer of a grammar.
pub(super) struct Lexer {
    pub(super) entries: Vec<Entry>,
    /// The bodies of the rules that do not lead to themselves.
    pub(super) rules: HashMap<String, ExprId>,
    /// Literals that are lexer rules of their own, by text.
    pub(super) aliases: HashMap<Vec<u32>, String>,
    /// The tokens that the parser sees and the entries that make them, literals of its own apart.
    pub(super) tokens: Vec<(String, Vec<usize>)>,
    /// The literals of the parser that are no lexer rules.
    pub(super) implicit: Vec<ExprId>,
    /// Rules that other rules of the lexer refer to.
    used: HashSet<String>,
}

impl Lexer {
    pub(super) fn new(builder: &mut Builder, source: &mut Source) -> Self {
        let mut lexer = Self {
            entries: Vec::new(),
            rules: HashMap::new(),
            aliases: HashMap::new(),
            tokens: Vec::new(),
            implicit: Vec::new(),
            used: HashSet::new(),
        };
        let bodies = lexer.regular(builder, source);
        let irregular: HashSet<ExprId> = lexer.recursive(builder);
        text::lazy(builder, &source.lazy, &bodies, |expr| !irregular.contains(&expr));
        lexer.aliases(builder, source);
        lexer.literals(builder, source);
        lexer.entries(builder, source);
        lexer.name(source);
        lexer.compare(builder);
        lexer
    }

    /// Finds the rules that do not lead to themselves; gives the bodies of all.
    fn regular(&mut self, builder: &mut Builder, source: &Source) -> HashMap<String, ExprId> {
        let mut bodies: HashMap<String, ExprId> = HashMap::new();
        let mut found: Vec<(&str, Vec<String>)> = Vec::new();
        for rule in &source.lexer {
            let exprs: Vec<ExprId> = rule.alternatives.iter().filter_map(|it| it.expr).collect();
            if exprs.is_empty() {
                continue;
            }
            let body = builder.choice(&exprs, rule.span);
            bodies.insert(rule.name.clone(), body);
            let references = references(builder, body);
            self.used.extend(references.iter().cloned());
            found.push((&rule.name, references));
        }
        let indices: HashMap<&str, usize> =
            found.iter().enumerate().map(|(index, &(name, _))| (name, index)).collect();
        let index = |name: &String| indices.get(name.as_str()).copied();
        let targets: Vec<Vec<usize>> =
            found.iter().map(|(_, names)| names.iter().filter_map(index).collect()).collect();
        // What leads to no rules is regular, and so is what leads to regular ones alone.
        let mut regular = vec![false; found.len()];
        settle(&targets, &users(&targets), |rule, first| {
            let is_regular = |&target: &usize| regular[target];
            let is_known = targets[rule].len() == found[rule].1.len();
            regular[rule] = first && is_known && targets[rule].iter().all(is_regular);
            false
        });
        let is_regular = |name: &str| indices.get(name).is_some_and(|&index| regular[index]);
        self.rules = bodies
            .iter()
            .filter(|(name, _)| is_regular(name))
            .map(|(name, &body)| (name.clone(), body))
            .collect();
        bodies
    }

    /// The expressions that lead to rules that lead to themselves.
    fn recursive(&self, builder: &Builder) -> HashSet<ExprId> {
        let mut out = HashSet::new();
        for (index, expr) in builder.grammar.exprs.iter().enumerate() {
            let is = |id: &ExprId| out.contains(id);
            let recurs = match expr {
                Expr::Reference(name) => !self.rules.contains_key(name),
                Expr::Sequence(items) => items.iter().any(is),
                Expr::Choice(all) => all.iter().any(|one| is(&one.expr)),
                Expr::Repeat { expr, .. } => is(expr),
                _ => false,
            };
            if recurs {
                out.insert(ExprId(index as u32));
            }
        }
        out
    }

    /// Finds the rules that are one literal: in the parser that literal means them.
    fn aliases(&mut self, builder: &Builder, source: &Source) {
        let mut twice = HashSet::new();
        for rule in source.lexer.iter().filter(|rule| !rule.fragment) {
            let [alternative] = &rule.alternatives[..] else { continue };
            // As in ANTLR, `-> channel(C), type(T)` makes no rule the literal's, and others may be.
            if alternative.calls > 1 {
                continue;
            }
            let Some(expr) = alternative.expr else { continue };
            let Expr::Literal { bytes, .. } = builder.grammar.expr(expr) else { continue };
            let chars: Vec<u32> = String::from_utf8_lossy(bytes).chars().map(u32::from).collect();
            if self.aliases.insert(chars.clone(), rule.name.clone()).is_some() {
                twice.insert(chars);
            }
        }
        self.aliases.retain(|chars, _| !twice.contains(chars));
    }

    /// Makes literals of the parser tokens.
    fn literals(&mut self, builder: &mut Builder, source: &Source) {
        let mut seen: HashSet<&[u32]> = HashSet::new();
        for (id, chars) in &source.literals {
            if let Some(token) = self.aliases.get(chars) {
                builder.grammar.exprs[id.0 as usize] = Expr::Reference(token.clone());
            } else if seen.insert(chars) {
                self.implicit.push(*id);
                self.entries.push(Entry {
                    rule: None,
                    own: String::new(),
                    token: String::new(),
                    mode: 0,
                    span: builder.grammar.span(*id),
                    expr: Some(*id),
                    at_end: None,
                    hidden: false,
                    more: false,
                    moves: Vec::new(),
                    language: None,
                    minus: Vec::new(),
                });
            }
        }
    }

    /// Takes the rules apart where their alternatives differ in what is done with them.
    fn entries(&mut self, builder: &mut Builder, source: &Source) {
        for rule in source.lexer.iter().filter(|rule| !rule.fragment) {
            let mut groups: Vec<(&[Command], Vec<ExprId>, Vec<ExprId>)> = Vec::new();
            for one in &rule.alternatives {
                match groups.last_mut() {
                    Some((commands, exprs, ends)) if *commands == one.commands => {
                        exprs.extend(one.expr);
                        ends.extend(one.at_end);
                    }
                    _ => groups.push((
                        &one.commands,
                        one.expr.into_iter().collect(),
                        one.at_end.into_iter().collect(),
                    )),
                }
            }
            for (index, (commands, exprs, ends)) in groups.into_iter().enumerate() {
                let name = match index {
                    0 => rule.name.clone(),
                    _ => format!("{}-{}", rule.name, index + 1),
                };
                let token = commands.iter().rev().find_map(|command| match command {
                    Command::Type(token) => Some(token.clone()),
                    _ => None,
                });
                let some = |builder: &mut Builder, exprs: &[ExprId]| {
                    (!exprs.is_empty()).then(|| builder.choice(exprs, rule.span))
                };
                let moves = commands
                    .iter()
                    .filter(|it| matches!(it, Command::Mode(_) | Command::Push(_) | Command::Pop));
                self.entries.push(Entry {
                    token: token.unwrap_or_else(|| rule.name.clone()),
                    own: name.clone(),
                    rule: Some(name),
                    mode: rule.mode,
                    span: rule.span,
                    expr: some(builder, &exprs),
                    at_end: some(builder, &ends),
                    hidden: commands.contains(&Command::Hide),
                    more: commands.contains(&Command::More),
                    moves: moves.cloned().collect(),
                    language: None,
                    minus: Vec::new(),
                });
            }
        }
    }

    /// Finds which entries make which token, and gives each a name of its own.
    fn name(&mut self, source: &Source) {
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut tokens: Vec<(String, Vec<usize>)> = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            if entry.rule.is_none() || !entry.is_visible() {
                continue;
            }
            let place = *places.entry(&entry.token).or_insert_with(|| {
                tokens.push((entry.token.clone(), Vec::new()));
                tokens.len() - 1
            });
            tokens[place].1.push(index);
        }
        // Modes in which a token may go on with what `more` has begun.
        let mut chained: HashSet<usize> = HashSet::new();
        for entry in self.entries.iter().filter(|entry| entry.more) {
            for command in &entry.moves {
                match command {
                    Command::Mode(name) | Command::Push(name) => {
                        chained.extend(source.modes.iter().position(|(mode, _)| mode == name));
                    }
                    _ => chained.extend(0..source.modes.len()),
                }
            }
            if entry.moves.is_empty() {
                chained.insert(entry.mode);
            }
        }
        let taken: HashSet<&str> = places.keys().copied().collect();
        let owns: Vec<String> = self
            .entries
            .iter()
            .map(|entry| {
                let Some(rule) = &entry.rule else { return String::new() };
                let simple = *rule == entry.token
                    && entry.is_visible()
                    && places.get(rule.as_str()).is_some_and(|&it| tokens[it].1.len() == 1)
                    && !chained.contains(&entry.mode);
                match !simple && taken.contains(rule.as_str()) {
                    true => format!("{rule}-own"),
                    false => rule.clone(),
                }
            })
            .collect();
        for (entry, own) in self.entries.iter_mut().zip(owns) {
            entry.own = own;
        }
        self.tokens = tokens;
    }

    /// Finds what each entry does not match because an earlier one does.
    fn compare(&mut self, builder: &mut Builder) {
        let automata = Automata::new(&self.rules, Alphabet::Unicode);
        let mut budget = Budget::default();
        let mut earlier: HashMap<usize, Earlier> = HashMap::new();
        let mut languages: Vec<Option<Dfa>> = vec![None; self.entries.len()];
        // The first entry that was not compared with all, and how many there are.
        let mut cut: Option<(Span, usize)> = None;
        for index in 0..self.entries.len() {
            let entry = &self.entries[index];
            let (span, Some(expr)) = (entry.span, entry.expr) else { continue };
            let before = earlier.entry(entry.mode).or_default();
            let mut minus = Vec::new();
            if let Expr::Literal { bytes, ignore_case } = builder.grammar.expr(expr) {
                let (text, ignore) = (String::from_utf8_lossy(bytes).into_owned(), *ignore_case);
                let beginning = index::of_text(&text, ignore);
                for other in before.others.near(&beginning, &mut budget) {
                    let language = languages[other].as_ref();
                    if language.is_some_and(|language| automata::has(language, &text, ignore)) {
                        minus.push(builder.reference(self.entries[other].own.clone(), span));
                    }
                }
                if before.knows(&text, ignore) {
                    minus.push(builder.literal(text.as_bytes(), true, span));
                } else {
                    before.literals.add(&beginning, before.texts.len(), &mut budget);
                    before.add(text, ignore);
                }
            } else if let Some(language) = automata.of(builder, expr, &mut budget) {
                let beginning = index::of_language(&language);
                for other in before.others.near(&beginning, &mut budget) {
                    let earlier = languages[other].as_ref();
                    if earlier.is_some_and(|it| automata::overlap(&language, it, &mut budget)) {
                        minus.push(builder.reference(self.entries[other].own.clone(), span));
                    }
                }
                for other in before.literals.near(&beginning, &mut budget) {
                    let (text, ignore) = &before.texts[other];
                    if automata::has(&language, text, *ignore) {
                        minus.push(builder.literal(text.as_bytes(), *ignore, span));
                    }
                }
                before.others.add(&beginning, index, &mut budget);
                languages[index] = Some(language);
            }
            if !budget.is_left() {
                cut.get_or_insert((span, 0)).1 += 1;
            }
            self.entries[index].minus = minus;
        }
        if let Some((span, count)) = cut {
            let what =
                format!("from here on, {count} tokens are not compared with all before them");
            let effect = "there are too many that are alike: such a token may be produced where an earlier one \
                          matches the same text";
            builder.lose(span, what, effect);
        }
        for (entry, language) in self.entries.iter_mut().zip(languages) {
            entry.language = language;
        }
    }

    /// Writes the rules of fragments and entries.
    pub(super) fn write(&mut self, builder: &mut Builder, source: &Source) {
        // What other lexer rules mean by a rule's name is its text, whatever becomes of the token.
        let mut raw: HashMap<&str, String> = HashMap::new();
        for rule in source.lexer.iter().filter(|rule| self.used.contains(&rule.name)) {
            let plain = self.entries.iter().any(|entry| {
                entry.own == rule.name
                    && entry.minus.is_empty()
                    && entry.rule.as_ref() == Some(&rule.name)
                    && rule
                        .alternatives
                        .iter()
                        .all(|one| one.commands == rule.alternatives[0].commands)
            });
            if !plain && !rule.fragment {
                raw.insert(&rule.name, format!("{}-text", rule.name));
            }
        }
        let mut seen: HashSet<ExprId> = HashSet::new();
        for rule in &source.lexer {
            for expr in rule.alternatives.iter().flat_map(|it| [it.expr, it.at_end]).flatten() {
                rename(builder, expr, &raw, &mut seen);
            }
            let exprs: Vec<ExprId> = rule.alternatives.iter().filter_map(|it| it.expr).collect();
            let name = match (rule.fragment, raw.get(rule.name.as_str())) {
                (true, _) => &rule.name,
                (false, Some(raw)) => raw,
                (false, None) => continue,
            };
            if !exprs.is_empty() {
                let body = builder.choice(&exprs, rule.span);
                builder.rule(name, rule.span, body);
            }
        }
        for entry in &self.entries {
            let (Some(rule), Some(mut body)) = (&entry.rule, entry.expr) else { continue };
            if !entry.minus.is_empty() {
                if let Some(raw) = raw.get(rule.as_str())
                    && entry.token == *rule
                {
                    let one = source.lexer.iter().find(|it| it.name == *rule);
                    if one.is_some_and(|it| it.alternatives.len() == 1) {
                        body = builder.reference(raw.clone(), entry.span);
                    }
                }
                let minus = builder.choice(&entry.minus, entry.span);
                body = builder.except(body, minus, entry.span);
            }
            builder.rule(&entry.own, entry.span, body);
        }
    }
}

/// The rules that an expression refers to.
fn references(builder: &Builder, expr: ExprId) -> Vec<String> {
    let mut out = Vec::new();
    let mut stack = vec![expr];
    while let Some(id) = stack.pop() {
        match builder.grammar.expr(id) {
            Expr::Reference(name) => out.push(name.clone()),
            other => stack.extend(other.children()),
        }
    }
    out
}

/// Lets an expression refer to rules by other names.
pub(super) fn rename(
    builder: &mut Builder,
    expr: ExprId,
    names: &HashMap<&str, String>,
    seen: &mut HashSet<ExprId>,
) {
    let mut stack = vec![expr];
    while let Some(id) = stack.pop() {
        if !seen.insert(id) {
            continue;
        }
        match &mut builder.grammar.exprs[id.0 as usize] {
            Expr::Reference(name) => {
                if let Some(other) = names.get(name.as_str()) {
                    name.clone_from(other);
                }
            }
            other => stack.extend(other.children()),
        }
    }
}
