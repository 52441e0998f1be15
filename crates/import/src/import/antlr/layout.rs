//! Modes, tokens that several rules make one after the other, and what the parser does not see.
//!
//! A token is what a rule matches, after what `more` rules have begun, in whatever mode they did. What is
//! hidden is layout; where a hidden token leads into modes of which nothing is seen, as those of comments
//! and of directives are, all that stands there up to its end is one piece of layout (see [`super::runs`]).
//!
//! A hidden token that could go on with what another token begins with, as a comment up to the end of its
//! line does, ends where it cannot: before other layout, before a token that cannot belong to it, or at
//! the end of the text.

use std::collections::{HashMap, HashSet};

use super::automata::{self, Budget, beyond, first};
use super::lexer::{Entry, Lexer, rename};
use super::runs::{Map, Move, Runs, Way};
use super::set::both;
use super::source::{Command, Source};
use super::text;
use crate::import::builder::Builder;
use crate::import::ranges::{LAST, Ranges, complement, without};
use pleach_core::grammar::{Alternative, Diagnostic, Expr, ExprId, Mark, Name, Span};
use pleach_core::regular::{Alphabet, AutomatonLimits, Dfa};

/// How a token leaves its mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    Stay,
    To(usize),
    Back,
}

/// A part of a run, and the entry that it begins with where it may not follow all others.
type Step = (Option<usize>, ExprId);

pub(super) struct Modes<'l> {
    lexer: &'l Lexer,
    names: Vec<(String, Span)>,
    exits: Vec<Exit>,
    /// By entry: all that it does to the stack of modes.
    moves: Vec<Vec<Move>>,
    /// By mode: the entries.
    members: Vec<Vec<usize>>,
    /// Modes that are entered from each: by mode, those that lead to it.
    origins: Vec<HashSet<usize>>,
    /// Modes in which a token may begin.
    starts: Vec<bool>,
    /// Modes that `more` leads to, or stays in.
    chained: Vec<bool>,
    /// Modes of which nothing is seen, and which are left.
    silent: Vec<bool>,
    /// Hidden entries that go on up to where they cannot, and how: see the module.
    open: Vec<(usize, Vec<(u32, u32)>)>,
    /// Rules that stand for layout before some tokens, by the entry.
    before: Vec<(usize, ExprId)>,
    /// What may stand at the end of the text only.
    last: Vec<ExprId>,
}

impl<'l> Modes<'l> {
    pub(super) fn new(builder: &mut Builder, source: &Source, lexer: &'l Lexer) -> Self {
        let count = source.modes.len();
        let mut modes = Self {
            lexer,
            names: source.modes.clone(),
            exits: vec![Exit::Stay; lexer.entries.len()],
            moves: vec![Vec::new(); lexer.entries.len()],
            members: vec![Vec::new(); count],
            origins: vec![HashSet::new(); count],
            starts: vec![false; count],
            chained: vec![false; count],
            silent: vec![false; count],
            open: Vec::new(),
            before: Vec::new(),
            last: Vec::new(),
        };
        for (index, entry) in lexer.entries.iter().enumerate() {
            modes.members[entry.mode].push(index);
            for command in &entry.moves {
                let to = match command {
                    Command::Mode(name) | Command::Push(name) => {
                        let Some(to) = modes.names.iter().position(|(mode, _)| mode == name) else {
                            let message = format!("there is no mode `{name}`");
                            let help = "begin it: mode NAME;";
                            builder.error(Diagnostic::error(entry.span, message).help(help));
                            continue;
                        };
                        modes.origins[to].insert(entry.mode);
                        modes.moves[index].push(match command {
                            Command::Push(_) => Move::Push(to),
                            _ => Move::To(to),
                        });
                        Exit::To(to)
                    }
                    _ => {
                        modes.moves[index].push(Move::Pop);
                        Exit::Back
                    }
                };
                modes.exits[index] = to;
            }
        }
        modes.starts[0] = true;
        for (index, entry) in lexer.entries.iter().enumerate() {
            for to in modes.targets(index) {
                let is = if entry.more { &mut modes.chained } else { &mut modes.starts };
                is[to] = true;
            }
        }
        // A mode that only `more` leads to begins no token, though it may end some.
        for mode in 1..count {
            modes.starts[mode] |= !modes.chained[mode];
        }
        modes.find_silent();
        modes
    }

    /// Finds the modes of which nothing is seen: neither do they end tokens that others begin, nor the reverse.
    fn find_silent(&mut self) {
        for mode in 1..self.names.len() {
            let members = &self.members[mode];
            let leaves =
                |&it: &usize| self.exits[it] != Exit::Stay && self.lexer.entries[it].hidden;
            self.silent[mode] = members.iter().all(|&it| !self.lexer.entries[it].is_visible())
                && members.iter().any(leaves);
        }
        // What `more` leads over from a mode that is seen, or to one, is of tokens that are.
        let mut joined = vec![Vec::new(); self.names.len()];
        for index in (0..self.lexer.entries.len()).filter(|&it| self.entry(it).more) {
            for to in self.targets(index) {
                joined[self.entry(index).mode].push(to);
                joined[to].push(self.entry(index).mode);
            }
        }
        let mut queue: Vec<usize> = (0..joined.len()).filter(|&mode| !self.silent[mode]).collect();
        while let Some(mode) = queue.pop() {
            for &other in &joined[mode] {
                if std::mem::replace(&mut self.silent[other], false) {
                    queue.push(other);
                }
            }
        }
    }

    fn entry(&self, index: usize) -> &'l Entry {
        &self.lexer.entries[index]
    }

    /// The modes that an entry may lead to.
    fn targets(&self, index: usize) -> Vec<usize> {
        let mode = self.entry(index).mode;
        match self.exits[index] {
            Exit::Stay => vec![mode],
            Exit::To(to) => vec![to],
            Exit::Back => {
                let mut all: Vec<usize> = self.origins[mode].iter().copied().collect();
                all.sort_unstable();
                all
            }
        }
    }

    /// A reference to what an entry matches.
    fn own(&self, builder: &mut Builder, index: usize) -> ExprId {
        let entry = self.entry(index);
        builder.reference(entry.own.clone(), entry.span)
    }

    fn is_regular(&self, index: usize) -> bool {
        let entry = self.entry(index);
        entry.rule.as_ref().is_some_and(|rule| {
            let rule = rule.rsplit_once('-').map_or(rule.as_str(), |(rule, _)| rule);
            self.lexer.rules.contains_key(rule)
        })
    }

    /// Whether an entry is all of its token, and leads to no other mode.
    fn is_plain(&self, index: usize) -> bool {
        self.exits[index] == Exit::Stay && !self.chained[self.entry(index).mode]
    }

    /// What a loop over some entries of a mode matches one of, where others may be longer: a single
    /// symbol gives way to those that begin with it.
    fn step(&self, builder: &mut Builder, index: usize, others: &[usize]) -> ExprId {
        let entry = self.entry(index);
        if let Some(Expr::Class(ranges)) = entry.expr.map(|expr| builder.grammar.expr(expr)) {
            let mut ranges = ranges.clone();
            for &other in others.iter().filter(|&&other| other != index) {
                if let Some(language) = &self.entry(other).language
                    && language.max_len() != Some(1)
                {
                    ranges = without(ranges, first(language));
                } else if let Some(Expr::Literal { bytes, .. }) =
                    self.entry(other).expr.map(|expr| builder.grammar.expr(expr))
                    && let Some(char) = String::from_utf8_lossy(bytes).chars().next()
                {
                    ranges = without(ranges, [(u32::from(char), u32::from(char))]);
                }
            }
            return builder.class(ranges, entry.span);
        }
        self.own(builder, index)
    }

    /// A loop over some entries and then one of others, which ends it as soon as it can.
    fn until(
        &self,
        builder: &mut Builder,
        loops: &[usize],
        ends: &[usize],
        end: ExprId,
        span: Span,
    ) -> ExprId {
        if loops.is_empty() {
            return end;
        }
        let steps: Vec<ExprId> = loops.iter().map(|&it| self.step(builder, it, loops)).collect();
        let step = builder.choice(&steps, span);
        let looping = builder.repeat(step, 0, None, span);
        let base = builder.sequence(&[looping, end], span);
        if !loops.iter().chain(ends).all(|&it| self.is_regular(it)) {
            return base;
        }
        let ends: Vec<ExprId> = ends.iter().map(|&it| self.own(builder, it)).collect();
        let any_end = builder.choice(&ends, span);
        let more = text::anything(builder, 1, span);
        let minus = builder.sequence(&[looping, any_end, more], span);
        builder.except(base, minus, span)
    }

    /// The name of the rule for what `more` has begun before a mode is reached.
    fn begun(&self, mode: usize) -> String {
        format!("{}-begun", self.names[mode].0)
    }

    /// Writes the rules of what `more` has begun.
    fn write_begun(&self, builder: &mut Builder) {
        for mode in (0..self.names.len()).filter(|&mode| self.chained[mode]) {
            let span = self.names[mode].1;
            let mut ways = Vec::new();
            if self.starts[mode] {
                ways.push(builder.sequence(&[], span));
            }
            for index in 0..self.lexer.entries.len() {
                let entry = self.entry(index);
                if !entry.more || (entry.mode == mode && self.exits[index] == Exit::Stay) {
                    continue;
                }
                if self.targets(index).contains(&mode) {
                    let own = self.own(builder, index);
                    let way = match self.chained[entry.mode] {
                        false => own,
                        true => {
                            let before =
                                self.through(builder, entry.mode, own, &[index], entry.span);
                            builder.sequence(&before, entry.span)
                        }
                    };
                    ways.push(way);
                }
            }
            let body = builder.choice(&ways, span);
            builder.rule(&self.begun(mode), span, body);
        }
    }

    /// What `more` has begun before an entry, what stays in its mode, and the entry.
    fn through(
        &self,
        builder: &mut Builder,
        mode: usize,
        end: ExprId,
        also: &[usize],
        span: Span,
    ) -> Vec<ExprId> {
        let begun = builder.reference(self.begun(mode), span);
        let members = &self.members[mode];
        let loops: Vec<usize> = members
            .iter()
            .copied()
            .filter(|&it| self.entry(it).more && self.exits[it] == Exit::Stay)
            .collect();
        let mut ends: Vec<usize> = members
            .iter()
            .copied()
            .filter(|&it| !loops.contains(&it) && self.entry(it).expr.is_some())
            .collect();
        ends.extend(also.iter().filter(|it| !ends.contains(it)).collect::<Vec<_>>());
        vec![begun, self.until(builder, &loops, &ends, end, span)]
    }

    /// What the parser, or layout, has of an entry.
    fn whole(&self, builder: &mut Builder, index: usize) -> ExprId {
        let entry = self.entry(index);
        let own = self.own(builder, index);
        if !self.chained[entry.mode] {
            return own;
        }
        let parts = self.through(builder, entry.mode, own, &[index], entry.span);
        let whole = builder.sequence(&parts, entry.span);
        // What another entry takes more of at the beginning does not begin so.
        let longer = self.longer(builder, entry.mode);
        let members = &self.members[entry.mode];
        if longer.is_empty() || !members.iter().chain(&longer).all(|&it| self.is_regular(it)) {
            return whole;
        }
        let longer: Vec<ExprId> = longer.into_iter().map(|it| self.own(builder, it)).collect();
        let longer = builder.choice(&longer, entry.span);
        let more = text::anything(builder, 0, entry.span);
        let minus = builder.sequence(&[longer, more], entry.span);
        builder.except(whole, minus, entry.span)
    }

    /// What an entry matches, where that is known.
    fn language(&self, builder: &Builder, index: usize) -> Option<Dfa> {
        match self.entry(index).expr.map(|it| builder.grammar.expr(it)) {
            Some(Expr::Literal { bytes, ignore_case }) => {
                Dfa::literal(bytes, *ignore_case, Alphabet::Unicode, &AutomatonLimits::default())
                    .ok()
            }
            _ => self.entry(index).language.clone(),
        }
    }

    /// Entries that match more where `more` would lead to a mode.
    fn longer(&self, builder: &Builder, mode: usize) -> Vec<usize> {
        let mut out: Vec<usize> = Vec::new();
        for index in 0..self.lexer.entries.len() {
            let entry = self.entry(index);
            if !entry.more || entry.mode == mode || !self.targets(index).contains(&mode) {
                continue;
            }
            let Some(begun) = self.language(builder, index) else { continue };
            for &other in self.members[entry.mode].iter().filter(|&&other| other != index) {
                let language = self.language(builder, other);
                let goes_on = language.is_some_and(|it| automata::outruns(&begun, &it));
                if goes_on && self.entry(other).rule.is_some() && !out.contains(&other) {
                    out.push(other);
                }
            }
        }
        out
    }

    /// Writes tokens, layout, and what goes before the end of the text; gives the rule for the latter.
    pub(super) fn write(mut self, builder: &mut Builder) -> Option<String> {
        self.write_begun(builder);
        let pieces = self.pieces(builder);
        let has_layout = !pieces.is_empty();
        self.rename_led(builder);
        for (token, entries) in &self.lexer.tokens {
            self.write_token(builder, token, entries, has_layout);
        }
        if !has_layout {
            return None;
        }
        let span = builder.grammar.span(pieces[0]);
        let piece = builder.choice(&pieces, span);
        let body = builder.repeat(piece, 0, None, span);
        let free = |name: &str| builder.grammar.rules.iter().all(|rule| rule.name.text != name);
        let layout = if free("layout") { "layout" } else { "hidden-text" };
        let last = if free("last") { "last" } else { "hidden-end" };
        builder.rule(layout, span, body);
        builder.grammar.layout = Some(Name { text: layout.to_owned(), span });
        if self.last.is_empty() {
            return None;
        }
        let body = builder.choice(&self.last, span);
        builder.rule(last, span, body);
        builder.grammar.lexical.push(Name { text: last.to_owned(), span });
        Some(last.to_owned())
    }

    /// Gives tokens that layout leads another name, where rules of the lexer refer to them.
    fn rename_led(&self, builder: &mut Builder) {
        let led: HashSet<usize> = self.before.iter().map(|&(index, _)| index).collect();
        let mut names: HashMap<&str, String> = HashMap::new();
        for (token, entries) in &self.lexer.tokens {
            if entries.iter().any(|it| led.contains(it)) {
                names.insert(token, format!("{token}-token"));
            }
        }
        if names.is_empty() {
            return;
        }
        let mut seen = HashSet::new();
        for index in 0..builder.grammar.rules.len() {
            rename(builder, builder.grammar.rules[index].body, &names, &mut seen);
            let name = &mut builder.grammar.rules[index].name.text;
            if let Some(other) = names.get(name.as_str()) {
                name.clone_from(other);
            }
        }
    }

    fn write_token(&self, builder: &mut Builder, token: &str, entries: &[usize], has_layout: bool) {
        let span = self.entry(entries[0]).span;
        let lexical = |builder: &mut Builder, name: &str| {
            if has_layout {
                builder.grammar.lexical.push(Name { text: name.to_owned(), span });
            }
        };
        let plain = entries.len() == 1 && self.entry(entries[0]).own == token;
        let led: Vec<ExprId> = self
            .before
            .iter()
            .filter(|(index, _)| entries.contains(index))
            .map(|&(_, open)| open)
            .collect();
        let mut name = token.to_owned();
        if !led.is_empty() {
            // Layout that ends where this begins is a part of it for the reader.
            name = format!("{token}-token");
            let none = builder.sequence(&[], span);
            let mut all = vec![Alternative::plain(none)];
            for open in led {
                let mark = Some(Mark::ParseOnly);
                all.push(Alternative { mark, ..Alternative::plain(open) });
            }
            let open = builder.grammar.push(Expr::Choice(all), span);
            let reference = builder.reference(name.clone(), span);
            let body = builder.sequence(&[open, reference], span);
            builder.rule(token, span, body);
        }
        if !plain {
            let ways: Vec<ExprId> = entries.iter().map(|&it| self.whole(builder, it)).collect();
            let body = builder.choice(&ways, span);
            builder.rule(&name, span, body);
        }
        lexical(builder, &name);
    }

    /// The runs after hidden entries that lead into modes of which nothing is seen.
    fn runs(&mut self, builder: &mut Builder, hidden: &[usize]) -> Runs {
        let entries: Vec<(usize, usize)> =
            hidden.iter().map(|&index| (index, self.entry(index).mode)).collect();
        let members: Vec<Vec<usize>> = self
            .members
            .iter()
            .map(|all| all.iter().copied().filter(|&it| self.entry(it).expr.is_some()).collect())
            .collect();
        let map = Map { silent: &self.silent, members: &members, moves: &self.moves };
        Runs::new(&map, &entries).unwrap_or_else(|| {
            let what = "the modes lead to each other in too many ways to be told apart";
            let effect =
                "what leads into a mode of which nothing is seen is left out of the layout";
            builder.lose(self.names[0].1, what, effect);
            Runs::default()
        })
    }

    /// Writes the rules of runs, and gives their names.
    fn write_runs(&self, builder: &mut Builder, runs: &Runs) -> Vec<String> {
        let mut counts = vec![0; self.names.len()];
        let mut names = Vec::new();
        for run in &runs.all {
            let mode = run.mode();
            counts[mode] += usize::from(run.ends);
            let name = &self.names[mode].0;
            names.push(match counts[mode] {
                0 | 1 => format!("{name}-rest"),
                count => format!("{name}-rest-{count}"),
            });
        }
        for (number, run) in runs.all.iter().enumerate().filter(|(_, run)| run.ends) {
            let mode = run.mode();
            let span = self.names[mode].1;
            if run.flat {
                let what =
                    format!("the mode `{}` stands within others in itself", self.names[mode].0);
                let effect =
                    "its tokens are not told apart: it is any text up to what leaves it first";
                builder.lose(span, what, effect);
                let all: Vec<usize> = run.ways.iter().filter_map(|way| way.entry).collect();
                let ends: Vec<ExprId> = all.iter().map(|&it| self.own(builder, it)).collect();
                let end = builder.choice(&ends, span);
                let any = text::anything(builder, 0, span);
                let mut body = builder.sequence(&[any, end], span);
                if all.iter().all(|&it| self.is_regular(it)) {
                    let more = text::anything(builder, 1, span);
                    let minus = builder.sequence(&[any, end, more], span);
                    body = builder.except(body, minus, span);
                }
                builder.rule(&names[number], span, body);
                continue;
            }
            let members: Vec<usize> = match run.is_mode() {
                true => self.members[mode].clone(),
                false => Vec::new(),
            };
            let has_text = |it: &usize| self.entry(*it).expr.is_some();
            let (stays, leaves): (Vec<usize>, Vec<usize>) = members
                .iter()
                .filter(|it| has_text(it))
                .partition(|&&it| self.moves[it].is_empty());
            // What comes back here is a loop.
            let (back, ends): (Vec<&Way>, Vec<&Way>) = run
                .ways
                .iter()
                .partition(|way| way.entry.is_some() && way.runs.last() == Some(&number));
            let is_plain = back.is_empty() && ends.iter().all(|way| way.runs.is_empty());
            let mut told = |ways: Vec<&Way>, keep: usize| -> Vec<Step> {
                let step = |way: &&Way| {
                    let runs = &way.runs[..way.runs.len() - keep.min(way.runs.len())];
                    (way.entry, self.way(builder, way, runs, &names, span))
                };
                ways.iter().map(step).collect()
            };
            let (back, ends) = (told(back, 1), told(ends, 0));
            // Where an end is looked for anyway, a symbol need not give way to it.
            let others = if is_plain { &stays } else { &members };
            let (looping, led) = self.steps(builder, &stays, (&members, others), &back, span);
            let end = self.ended(builder, &led, &ends, span);
            let mut body = builder.sequence(&[looping, end], span);
            if is_plain && members.iter().all(|&it| self.is_regular(it)) {
                let all: Vec<Step> =
                    leaves.iter().map(|&it| (Some(it), self.own(builder, it))).collect();
                let any_end = self.ended(builder, &led, &all, span);
                let more = text::anything(builder, 1, span);
                let minus = builder.sequence(&[looping, any_end, more], span);
                body = builder.except(body, minus, span);
            }
            builder.rule(&names[number], span, body);
        }
        names
    }

    /// A loop over entries of a mode and what comes back to it, and the entries that are not free to stand before
    /// all others, with what may not follow them: they would be the beginning of a longer token, as the slash of a
    /// comment, or they go on, as a comment up to the end of its line.
    fn steps(
        &self,
        builder: &mut Builder,
        stays: &[usize],
        (members, others): (&[usize], &[usize]),
        backs: &[Step],
        span: Span,
    ) -> (ExprId, Vec<(usize, Ranges)>) {
        let mut budget = Budget::default();
        let languages: Vec<Option<Dfa>> =
            members.iter().map(|&it| self.language(builder, it)).collect();
        let (mut free, mut led) = (Vec::new(), Vec::new());
        for &index in stays {
            let own = members.iter().position(|&it| it == index);
            let class = |expr| matches!(builder.grammar.expr(expr), Expr::Class(_));
            let by = match own.and_then(|own| languages[own].as_ref()) {
                Some(language) if !self.entry(index).expr.is_some_and(class) => {
                    let others = languages.iter().enumerate().filter(|(it, _)| Some(*it) != own);
                    let others = others.filter_map(|(_, language)| language.as_ref());
                    automata::goes_on(language, others, &mut budget)
                }
                _ => Vec::new(),
            };
            match by.is_empty() {
                true => free.push(index),
                false => led.push((index, by)),
            }
        }
        let mut steps: Vec<ExprId> =
            free.iter().map(|&it| self.step(builder, it, others)).collect();
        steps.extend(backs.iter().map(|(_, step)| *step));
        for (index, by) in &led {
            let mut next = backs.to_vec();
            for &other in &free {
                next.push((None, self.beginning_not(builder, other, by, span)));
            }
            steps.extend(self.before(builder, *index, by, &next, span));
        }
        let looping = match steps.is_empty() {
            true => builder.sequence(&[], span),
            false => {
                let step = builder.choice(&steps, span);
                builder.repeat(step, 0, None, span)
            }
        };
        (looping, led)
    }

    /// Some ends of a run, or an entry before those that may follow it.
    fn ended(
        &self,
        builder: &mut Builder,
        led: &[(usize, Ranges)],
        ends: &[Step],
        span: Span,
    ) -> ExprId {
        let mut all: Vec<ExprId> = ends.iter().map(|(_, end)| *end).collect();
        for (index, by) in led {
            all.extend(self.before(builder, *index, by, ends, span));
        }
        builder.choice(&all, span)
    }

    /// An entry before those of some steps that do not begin with some characters.
    fn before(
        &self,
        builder: &mut Builder,
        index: usize,
        by: &[(u32, u32)],
        steps: &[Step],
        span: Span,
    ) -> Option<ExprId> {
        let may = |(entry, _): &&Step| {
            entry.is_none_or(|it| !automata::meets(&begins(builder, self.entry(it)), by))
        };
        let next: Vec<ExprId> = steps.iter().filter(may).map(|(_, step)| *step).collect();
        if next.is_empty() {
            return None;
        }
        let next = builder.choice(&next, span);
        let own = self.own(builder, index);
        Some(builder.sequence(&[own, next], span))
    }

    /// An entry, where it does not begin with some characters.
    fn beginning_not(
        &self,
        builder: &mut Builder,
        index: usize,
        by: &[(u32, u32)],
        span: Span,
    ) -> ExprId {
        let own = self.own(builder, index);
        if !self.is_regular(index) || !automata::meets(&begins(builder, self.entry(index)), by) {
            return own;
        }
        let wrong = builder.class(by, span);
        let more = text::anything(builder, 0, span);
        let minus = builder.sequence(&[wrong, more], span);
        builder.except(own, minus, span)
    }

    /// An entry, if one is first, and some runs.
    fn way(
        &self,
        builder: &mut Builder,
        way: &Way,
        runs: &[usize],
        names: &[String],
        span: Span,
    ) -> ExprId {
        let mut items: Vec<ExprId> =
            way.entry.iter().map(|&entry| self.own(builder, entry)).collect();
        items.extend(runs.iter().map(|&run| builder.reference(names[run].clone(), span)));
        builder.sequence(&items, span)
    }

    /// The pieces of layout.
    fn pieces(&mut self, builder: &mut Builder) -> Vec<ExprId> {
        let hidden: Vec<usize> = (0..self.lexer.entries.len())
            .filter(|&index| {
                let entry = self.entry(index);
                entry.hidden && !entry.more && !self.silent[entry.mode]
            })
            .collect();
        let runs = self.runs(builder, &hidden);
        let names = self.write_runs(builder, &runs);
        self.compare_modes(builder, &hidden);
        self.find_open(builder, &hidden);
        let mut pieces = Vec::new();
        for &index in &hidden {
            let entry = self.entry(index);
            if let Some(end) = entry.at_end {
                self.last.push(end);
            }
            if entry.expr.is_none() {
                continue;
            }
            let mut whole = self.whole(builder, index);
            let leads = matches!(self.exits[index], Exit::To(to) if self.silent[to]);
            if leads && runs.all.is_empty() {
                continue;
            }
            if let Some(ways) = runs.after(index) {
                if ways.is_empty() {
                    let what = format!("`{}` leads to where nothing is seen again", entry.own);
                    builder.lose(entry.span, what, "it is left out of the layout");
                    continue;
                }
                let rests: Vec<ExprId> = ways
                    .iter()
                    .map(|it| self.way(builder, it, &it.runs, &names, entry.span))
                    .collect();
                let rest = builder.choice(&rests, entry.span);
                whole = builder.sequence(&[whole, rest], entry.span);
            }
            let open = self.open.iter().find(|(open, _)| *open == index).map(|(_, by)| by.clone());
            let Some(by) = open else {
                pieces.push(whole);
                continue;
            };
            self.last.push(whole);
            // One that cannot go on may stand before anything.
            let ends = entry.language.as_ref().map_or(Vec::new(), automata::closing);
            if !ends.is_empty() && self.is_plain(index) {
                let any = text::anything(builder, 0, entry.span);
                let open = builder.class(complement(ends, LAST), entry.span);
                let minus = builder.sequence(&[any, open], entry.span);
                pieces.push(builder.except(whole, minus, entry.span));
            }
            let next = self.not_beginning(builder, &hidden, &by, entry.span);
            if !next.is_empty() {
                let next = builder.choice(&next, entry.span);
                pieces.push(builder.sequence(&[whole, next], entry.span));
            }
            // Tokens that cannot go on with it.
            let mut led = false;
            for (other, token) in self.lexer.entries.iter().enumerate() {
                let begins = begins(builder, token);
                if token.is_visible()
                    && token.mode == entry.mode
                    && token.rule.is_some()
                    && !begins.is_empty()
                    && !automata::meets(&begins, &by)
                {
                    self.before.push((other, whole));
                    // It is one token where it stands in a rule.
                    led = true;
                }
            }
            if led {
                let name = Name { text: entry.own.clone(), span: entry.span };
                builder.grammar.lexical.push(name);
            }
        }
        if pieces.is_empty() {
            // There is no other layout: what is open is all there is.
            pieces.clone_from(&self.last);
        }
        pieces
    }

    /// Finds what is hidden and could go on with what a token begins with.
    fn find_open(&mut self, builder: &Builder, hidden: &[usize]) {
        for &index in hidden {
            let entry = self.entry(index);
            let Some(language) = &entry.language else { continue };
            let by = beyond(language);
            // Tokens that begin with white space hold what white space is cut before them.
            if is_white(&by) && is_white(&first(language)) {
                continue;
            }
            let clashes = self.members[entry.mode].iter().any(|&other| {
                let token = self.entry(other);
                let begins = begins(builder, token);
                token.is_visible() && automata::meets(&begins, &by)
            });
            if clashes {
                self.open.push((index, by));
            }
        }
    }

    /// Layout that does not begin with some characters.
    fn not_beginning(
        &self,
        builder: &mut Builder,
        hidden: &[usize],
        by: &[(u32, u32)],
        span: Span,
    ) -> Vec<ExprId> {
        let mut out = Vec::new();
        for &index in hidden {
            let entry = self.entry(index);
            let Some(language) = &entry.language else { continue };
            let begins = first(language);
            let is_open = self.open.iter().any(|(open, _)| *open == index);
            if is_open || !self.is_plain(index) || without(begins.as_slice(), by).is_empty() {
                continue;
            }
            out.push(self.beginning_not(builder, index, by, span));
        }
        out
    }

    /// Warns of modes that hide other texts than the default one.
    fn compare_modes(&self, builder: &mut Builder, hidden: &[usize]) {
        let of = |mode: usize| {
            let all = hidden.iter().map(|&it| self.entry(it)).filter(move |it| it.mode == mode);
            all.collect::<Vec<_>>()
        };
        let same = |one: &Entry, other: &Entry| match (&one.language, &other.language) {
            (Some(one), Some(other)) => one.equivalent(other),
            _ => false,
        };
        let main = of(0);
        for mode in (1..self.names.len()).filter(|&mode| !self.silent[mode]) {
            let visible = |&it: &usize| self.entry(it).is_visible();
            let here = of(mode);
            let alike = main.len() == here.len()
                && here.iter().all(|one| main.iter().any(|other| same(one, other)));
            if !alike && self.starts[mode] && self.members[mode].iter().any(visible) {
                let (name, span) = &self.names[mode];
                let what = format!("the mode `{name}` hides other texts than the default mode");
                builder.lose(*span, what, "what either hides may stand between all tokens");
            }
        }
    }
}

/// The characters that a token begins with, as far as that is known.
fn begins(builder: &Builder, token: &Entry) -> Vec<(u32, u32)> {
    match token.expr.map(|expr| builder.grammar.expr(expr)) {
        Some(Expr::Literal { bytes, ignore_case }) => {
            let char = String::from_utf8_lossy(bytes).chars().next();
            char.map_or(Vec::new(), |char| match ignore_case {
                true => both(u32::from(char)),
                false => vec![(u32::from(char), u32::from(char))],
            })
        }
        _ => token.language.as_ref().map_or(Vec::new(), first),
    }
}

/// Whether some characters are all white space.
fn is_white(ranges: &[(u32, u32)]) -> bool {
    ranges.iter().all(|&(low, high)| {
        high - low < 16
            && (low..=high).all(|one| char::from_u32(one).is_some_and(char::is_whitespace))
    })
}
