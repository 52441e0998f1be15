//! Rules of pest as rules of a grammar: what looks ahead is taken away from what it looks at.

use super::super::builder::Builder;
use super::builtin::{Builtin, pattern};
use super::facts::{Facts, Info};
use super::set::Set;
use super::syntax::{Kind, Node, NodeId, Syntax};
use crate::import::ranges::LAST;
use pleach_core::grammar::{Alternative, Diagnostic, Expr, ExprId, Mark, Name, Span};
use pleach_core::internal::difference;

/// How many expressions are written out in all where predicates refer to their rules.
const MOST_OPENED: usize = 200_000;

/// How many rules are followed to such an expression.
const DEEPEST: usize = 50;

/// More ranges than these are not written out, but taken away.
const MOST_RANGES: usize = 100;

/// All symbols.
const ALL: (u32, u32) = (0, LAST);

/// Writes rules.
pub(super) struct Emitter<'a> {
    pub(super) builder: &'a mut Builder,
    pub(super) syntax: &'a Syntax,
    pub(super) facts: &'a Facts,
    /// The name of the layout rule.
    pub(super) layout: &'a str,
    /// The start rule.
    pub(super) start: usize,
    /// The rule of a comment that ends with the text, if there is one.
    pub(super) last: Option<String>,
    /// The rule that is written, and how many rules it has needed besides.
    pub(super) rule: usize,
    pub(super) more: usize,
    /// Whether layout stands between the parts of what is written, and whether it is written out.
    pub(super) spaced: bool,
    pub(super) written: bool,
    /// How many more expressions predicates may write out, and how many rules the one at hand has followed.
    opened: usize,
    depth: usize,
}

/// A part of a sequence.
struct Piece {
    expr: ExprId,
    info: Info,
    span: Span,
    /// The bounds of a repetition of the expression, which is one symbol then, and is written here.
    count: (u32, Option<u32>),
    symbol: Option<NodeId>,
}

/// `(!p ~ x)*`, where `p` needs more than a symbol to be told and `x` is one.
struct Until {
    ahead: NodeId,
    symbol: NodeId,
    /// The alternatives beside `!p ~ x`.
    others: Vec<NodeId>,
    min: u32,
}

impl<'a> Emitter<'a> {
    pub(super) fn new(
        builder: &'a mut Builder,
        syntax: &'a Syntax,
        facts: &'a Facts,
        layout: &'a str,
        start: usize,
    ) -> Self {
        Self {
            builder,
            syntax,
            facts,
            layout,
            start,
            last: None,
            rule: 0,
            more: 0,
            spaced: false,
            written: false,
            opened: MOST_OPENED,
            depth: 0,
        }
    }

    /// Writes a rule.
    pub(super) fn write(&mut self, rule: usize) {
        let definition = &self.syntax.rules[rule];
        (self.rule, self.more) = (rule, 0);
        self.spaced = self.facts.spaced[rule];
        let at = self.builder.grammar.rules.len();
        let body = self.emit(definition.body, None);
        self.builder.rule(&definition.name, definition.span, body);
        if let Some(last) = self.builder.grammar.rules.last_mut() {
            last.docs.clone_from(&definition.docs);
        }
        // Before those that it has needed.
        self.builder.grammar.rules[at..].rotate_right(1);
        if definition.kind == Kind::Atomic && self.facts.has_layout {
            let name = Name { text: definition.name.clone(), span: definition.span };
            self.builder.grammar.lexical.push(name);
        }
    }

    /// `(WHITESPACE | COMMENT)*`, and the rule of a comment that ends with the text.
    ///
    /// A comment that goes on as long as it can, as to the end of a line, must be followed by what it
    /// cannot go on with. So white space that it has not must follow, but at the end of the text; or what it
    /// ends with and pest may leave out must be there.
    pub(super) fn write_layout(&mut self) {
        self.spaced = false;
        let syntax = self.syntax;
        let mut span = Span::default();
        let mut parts = Vec::new();
        let white = self.facts.rules.get("WHITESPACE").copied();
        if let Some(white) = white {
            span = syntax.rules[white].span;
            parts.push(self.builder.reference("WHITESPACE", span));
        }
        let mut lasts = Vec::new();
        if let Some(&comment) = self.facts.rules.get("COMMENT") {
            span = syntax.rules[comment].span;
            let body = syntax.rules[comment].body;
            let alternatives = match &syntax.nodes[body] {
                Node::Choice(alternatives) => alternatives.clone(),
                _ => vec![body],
            };
            let is_open = |&id: &NodeId| self.goes_on(id).is_some();
            if !alternatives.iter().any(is_open) {
                parts.push(self.builder.reference("COMMENT", span));
            } else {
                for alternative in alternatives {
                    let part = self.comment(alternative, comment, white, &mut lasts);
                    parts.push(part);
                }
            }
        }
        let choice = self.builder.choice(&parts, span);
        let body = self.builder.repeat(choice, 0, None, span);
        let name = Name { text: self.layout.to_owned(), span };
        self.builder.rule(&name.text, span, body);
        self.builder.grammar.layout = Some(name);
        if let Some(last) = self.last.clone() {
            let body = self.builder.choice(&lasts, span);
            self.builder.rule(&last, span, body);
            self.builder.grammar.lexical.push(Name { text: last, span });
        }
    }

    /// The symbols that a comment repeats as long as it can before it ends, if it does; and whether it ends
    /// with others, which may be left out, as the end of its line.
    pub(super) fn goes_on(&self, id: NodeId) -> Option<(&'a [(u32, u32)], bool)> {
        let whole = [self.open(id)];
        let items = match &self.syntax.nodes[whole[0]] {
            Node::Sequence(items) => items,
            _ => &whole[..],
        };
        let mut tail = false;
        for &item in items.iter().rev() {
            if let Node::Repeat { node, max: None, .. } = self.syntax.nodes[self.open(item)]
                && let Some(ranges) = &self.info(node).one
            {
                return Some((ranges, tail));
            }
            let info = self.info(item);
            tail |= info.longest != Some(0);
            if !info.nullable || tail && !self.info(id).regular {
                break;
            }
        }
        None
    }

    /// One kind of comment, as the layout has it.
    fn comment(
        &mut self,
        id: NodeId,
        rule: usize,
        white: Option<usize>,
        lasts: &mut Vec<ExprId>,
    ) -> ExprId {
        let span = self.syntax.spans[id];
        let comment = match id == self.syntax.rules[rule].body {
            true => self.builder.reference("COMMENT", span),
            false => self.emit(id, None),
        };
        let Some((ranges, tail)) = self.goes_on(id) else { return comment };
        if self.last.is_some() {
            lasts.push(comment);
        }
        if tail {
            let open = self.builder.class(ranges.to_vec(), span);
            let all = self.all(span);
            let minus = self.builder.sequence(&[all, open], span);
            return self.builder.except(comment, minus, span);
        }
        let body = white.map(|white| self.syntax.rules[white].body);
        // White space that the comment cannot go on with: else there is none that ends it.
        let ends = body.filter(|&body| !self.info(body).first.is_within(Set::of(ranges)));
        if ends.is_none() {
            let what = "this comment goes on as long as it can, and no white space ends it";
            let effect =
                "it may end anywhere: what follows it on its line is produced or read as text";
            self.builder.lose(span, what, effect);
            return comment;
        }
        let after = self.builder.reference("WHITESPACE", span);
        let more = self.builder.class(ranges.to_vec(), span);
        let all = self.all(span);
        let minus = self.builder.sequence(&[more, all], span);
        let after = self.builder.except(after, minus, span);
        self.builder.sequence(&[comment, after], span)
    }

    fn info(&self, id: NodeId) -> &'a Info {
        &self.facts.infos[id]
    }

    fn lose(&mut self, id: NodeId, what: &str, effect: &str) {
        self.builder.lose(self.syntax.spans[id], what, effect);
    }

    /// Whether an expression has one language, with no layout in it, where it stands.
    fn is_token(&self, info: &Info) -> bool {
        if self.spaced { info.token } else { info.regular }
    }

    fn all(&mut self, span: Span) -> ExprId {
        let any = self.builder.class([ALL], span);
        self.builder.repeat(any, 0, None, span)
    }

    /// Writes an expression; `next` is what follows it, if that is known.
    pub(super) fn emit(&mut self, id: NodeId, next: Option<NodeId>) -> ExprId {
        let syntax = self.syntax;
        let span = syntax.spans[id];
        match &syntax.nodes[id] {
            Node::Text { text, ignore_case } => {
                self.builder.literal(text.as_bytes(), *ignore_case, span)
            }
            &Node::Range(low, high) => self.builder.class([(low, high)], span),
            Node::Name(name) => self.name(name, id, span),
            Node::Choice(alternatives) => {
                let exprs: Vec<ExprId> =
                    alternatives.iter().map(|&one| self.emit(one, next)).collect();
                self.builder.choice(&exprs, span)
            }
            &Node::Repeat { node, min, max } => {
                if let Some(until) = self.until(id) {
                    return self.emit_until(&until, id, next);
                }
                let many = max.is_none_or(|max| max > 1);
                if self.written && many {
                    return self.repeat_with_layout(node, min, max, span);
                }
                if self.spaced && many && self.info(node).one.is_some() {
                    return self.sequence(&[id], next, span);
                }
                let expr = self.emit(node, None);
                self.builder.repeat(expr, min, max, span)
            }
            Node::Sequence(items) => self.sequence(items, next, span),
            Node::Not(_) | Node::And(_) => self.sequence(&[id], next, span),
            Node::Stack(name) => {
                // One of its own, so that each is reported where it stands.
                let undefined = format!("{name} at {}", span.start);
                let message = format!("`{name}` uses the stack, which no grammar without one says");
                let help = "write out what it can be, or leave this rule out of what is needed";
                self.builder.unsayable(&undefined, Diagnostic::error(span, message).help(help));
                self.builder.reference(undefined, span)
            }
        }
    }

    fn name(&mut self, name: &str, id: NodeId, span: Span) -> ExprId {
        match self.facts.builtins.get(name) {
            Some(Builtin::Class(ranges)) => self.builder.class(ranges.clone(), span),
            Some(Builtin::Property(_)) => {
                self.builder.grammar.push(Expr::Regex(pattern(name)), span)
            }
            Some(Builtin::Newline) => {
                let ends = ["\n", "\r\n", "\r"]
                    .map(|end| self.builder.literal(end.as_bytes(), false, span));
                self.builder.choice(&ends, span)
            }
            Some(&Builtin::Edge { end }) => {
                self.edge(id, end);
                let empty = self.builder.sequence(&[], span);
                match &self.last {
                    Some(last) if end && self.spaced && self.rule == self.start => {
                        let last = self.builder.reference(last, span);
                        let mark = Some(Mark::ParseOnly);
                        let read = Alternative { mark, ..Alternative::plain(last) };
                        let all = vec![Alternative::plain(empty), read];
                        self.builder.grammar.push(Expr::Choice(all), span)
                    }
                    _ => empty,
                }
            }
            None => self.builder.reference(self.called(name), span),
        }
    }

    /// Says what it means that the beginning or the end of the text derives nothing here.
    fn edge(&mut self, id: NodeId, end: bool) {
        let fits = match end {
            true => self.facts.follow[id].is_empty(),
            false => {
                let body = self.syntax.rules[self.rule].body;
                let leads = match &self.syntax.nodes[body] {
                    Node::Sequence(items) => items.first() == Some(&id),
                    _ => body == id,
                };
                leads && self.facts.users[self.rule].is_empty()
            }
        };
        if !fits {
            let (what, effect) = match end {
                true => ("`EOI` stands where text may follow", "more text may follow here"),
                false => ("`SOI` stands where text may precede it", "more text may precede this"),
            };
            self.lose(id, what, &format!("it is left out: {effect}, which pest refuses"));
        }
    }

    fn edge_of(&self, id: NodeId) -> Option<bool> {
        let Node::Name(name) = &self.syntax.nodes[id] else { return None };
        match self.facts.builtins.get(name)? {
            Builtin::Edge { end } => Some(*end),
            _ => None,
        }
    }

    fn sequence(&mut self, items: &[NodeId], next: Option<NodeId>, span: Span) -> ExprId {
        // From the end, for what looks ahead needs what follows.
        let mut pieces: Vec<Piece> = Vec::with_capacity(items.len());
        for (at, &item) in items.iter().enumerate().rev() {
            match self.syntax.nodes[item] {
                Node::Not(ahead) => self.not(ahead, item, &mut pieces),
                Node::And(ahead) => self.and(ahead, item, &mut pieces),
                _ => {
                    let next = items.get(at + 1).copied().or(next);
                    let piece = self.piece(item, next);
                    // The beginning and the end of the text need not be written.
                    let expr = self.builder.grammar.expr(piece.expr);
                    if !matches!(expr, Expr::Sequence(items) if items.is_empty()) {
                        pieces.push(piece);
                    }
                }
            }
        }
        pieces.reverse();
        let exprs = match self.written {
            true => {
                let exprs = pieces.iter().map(|piece| self.counted(piece)).collect();
                self.with_layout(exprs, span)
            }
            false => self.join(pieces),
        };
        self.builder.sequence(&exprs, span)
    }

    fn piece(&mut self, item: NodeId, next: Option<NodeId>) -> Piece {
        let (info, span) = (self.info(item), self.syntax.spans[item]);
        if self.spaced
            && !self.written
            && let Node::Repeat { node, min, max } = self.syntax.nodes[item]
            && self.info(node).one.is_some()
            && self.until(item).is_none()
        {
            let expr = self.emit(node, None);
            let (info, count) = (info.clone(), (min, max));
            return Piece { expr, info, span, count, symbol: Some(node) };
        }
        let expr = self.emit(item, next);
        Piece { expr, info: info.clone(), span, count: (1, Some(1)), symbol: None }
    }

    /// `!ahead` before some pieces, of which the last is the next one.
    fn not(&mut self, ahead: NodeId, id: NodeId, pieces: &mut Vec<Piece>) {
        let looked = self.info(ahead);
        let consumes = pieces.iter().any(|piece| !piece.info.nullable);
        if self.edge_of(ahead) == Some(true) && consumes {
            return;
        }
        // What is seen first, as far as it may be empty.
        let mut first = Set::default();
        let mut open = true;
        for piece in pieces.iter().rev() {
            first = first.or(piece.info.first);
            open = piece.info.nullable;
            if !open {
                break;
            }
        }
        if open {
            first = first.or(self.facts.follow[id]);
        }
        if !looked.nullable && first.is_apart(looked.first) {
            return;
        }
        let Some(next) = pieces.pop() else {
            // Between words, layout must stand anyway.
            let could = looked.first.and(self.facts.follow[id]);
            let is_word = self.facts.has_layout && !self.spaced && could.is_word();
            if !(is_word && looked.heads.is_some()) {
                let effect = "it is left out: what pest refuses by it is produced and read";
                self.lose(id, "this looks at what follows the rule", effect);
            }
            return;
        };
        if looked.nullable
            || !looked.regular
            || !self.is_token(&next.info)
            || self.edge_of(ahead).is_some()
        {
            self.unsaid(id, &next.info);
            return pieces.push(next);
        }
        if let (Some(heads), Some(one)) = (&looked.heads, &next.info.one)
            && next.count == (1, Some(1))
        {
            let left = difference(one, heads);
            let expr = match left.len() > MOST_RANGES {
                true => {
                    let minus = self.builder.class(heads.clone(), self.syntax.spans[ahead]);
                    self.builder.except(next.expr, minus, next.span)
                }
                false => self.builder.class(left.clone(), next.span),
            };
            let info = Info { token: next.info.token, ..Info::symbol(left) };
            pieces.push(Piece { expr, info, ..next });
            return;
        }
        let (whole, short) = self.whole(looked, next, pieces);
        if short {
            let effect = "what it refuses only together with what follows is produced and read";
            self.lose(id, "this looks further than what is after it", effect);
        }
        let minus = self.ahead(ahead);
        let expr = self.builder.except(whole.expr, minus, whole.span);
        let info = Info { one: None, heads: None, ..whole.info };
        pieces.push(Piece { expr, info, ..whole });
    }

    /// `&ahead` before some pieces, of which the last is the next one.
    fn and(&mut self, ahead: NodeId, id: NodeId, pieces: &mut Vec<Piece>) {
        let looked = self.info(ahead);
        if let Some(end) = self.edge_of(ahead) {
            return self.edge(ahead, end);
        }
        let heads = looked.heads.as_deref().map(Set::of);
        let Some(next) = pieces.pop() else {
            let follow = self.facts.follow[id];
            if !heads.is_some_and(|heads| follow.is_within(heads)) {
                let effect = "it is left out: what pest refuses by it is produced and read";
                self.lose(id, "this looks at what follows the rule", effect);
            }
            return;
        };
        let is_sure = heads.is_some_and(|heads| next.info.first.is_within(heads));
        if looked.nullable || is_sure && !next.info.nullable {
            pieces.push(next);
            return;
        }
        if !looked.regular || !self.is_token(&next.info) {
            self.unsaid(id, &next.info);
            return pieces.push(next);
        }
        let (whole, short) = self.whole(looked, next, pieces);
        if short {
            let effect = "what it needs beyond that is no longer asked for, or nothing is left";
            self.lose(id, "this looks further than what is after it", effect);
        }
        let (all, wanted) = (self.all(whole.span), self.ahead(ahead));
        let minus = self.builder.except(all, wanted, whole.span);
        let expr = self.builder.except(whole.expr, minus, whole.span);
        let info = Info { one: None, heads: None, ..whole.info };
        pieces.push(Piece { expr, info, ..whole });
    }

    /// Says that a predicate before something is left out.
    fn unsaid(&mut self, id: NodeId, next: &Info) {
        let effect = match next.regular && !self.is_token(next) {
            true => {
                "it is left out, for layout may stand in what follows, which is not atomic: what pest refuses by \
                 it is produced and read"
            }
            false => "it is left out: what pest refuses by it is produced and read",
        };
        self.lose(id, "this cannot be said by leaving something out", effect);
    }

    /// As much of what follows as a predicate may look at, as one; and whether it may look further.
    fn whole(&mut self, looked: &Info, next: Piece, pieces: &mut Vec<Piece>) -> (Piece, bool) {
        let is_short = |info: &Info| match looked.heads {
            Some(_) => info.nullable,
            None => info.longest.is_some_and(|has| looked.longest.is_none_or(|most| most > has)),
        };
        let mut info = next.info.clone();
        let mut span = next.span;
        let mut exprs = vec![self.counted(&next)];
        while !self.spaced
            && is_short(&info)
            && let Some(more) = pieces.pop_if(|piece| piece.info.regular)
        {
            exprs.push(self.counted(&more));
            info.first = if info.nullable { info.first.or(more.info.first) } else { info.first };
            info.nullable &= more.info.nullable;
            info.longest = info.longest.zip(more.info.longest).and_then(|(a, b)| a.checked_add(b));
            span.end = span.end.max(more.span.end);
        }
        let short = is_short(&info);
        let expr = self.builder.sequence(&exprs, span);
        (Piece { expr, info, span, count: (1, Some(1)), symbol: None }, short)
    }

    /// A piece with its repetition.
    fn counted(&mut self, piece: &Piece) -> ExprId {
        match piece.count {
            (1, Some(1)) => piece.expr,
            (min, max) => self.builder.repeat(piece.expr, min, max, piece.span),
        }
    }

    /// All texts that begin with what an expression matches. Where that ends by looking ahead, this is
    /// written out, for the rule itself says nothing of it.
    fn ahead(&mut self, id: NodeId) -> ExprId {
        let syntax = self.syntax;
        let span = syntax.spans[id];
        if self.info(id).boundary {
            match &syntax.nodes[id] {
                Node::Name(name) => {
                    if let Some(&rule) = self.facts.rules.get(name) {
                        let cost = syntax.rules[rule].nodes.len();
                        if self.depth < DEEPEST && self.opened >= cost {
                            self.opened -= cost;
                            self.depth += 1;
                            let spaced = std::mem::replace(&mut self.spaced, false);
                            let expr = self.ahead(syntax.rules[rule].body);
                            self.spaced = spaced;
                            self.depth -= 1;
                            return expr;
                        }
                        let effect = "what begins with this is refused, whatever follows it";
                        self.lose(
                            id,
                            "predicates refer to too much that ends by looking ahead",
                            effect,
                        );
                    }
                }
                Node::Choice(alternatives) => {
                    let exprs: Vec<ExprId> =
                        alternatives.iter().map(|&one| self.ahead(one)).collect();
                    return self.builder.choice(&exprs, span);
                }
                Node::Sequence(items) => {
                    if let [core @ .., last] = items.as_slice()
                        && let Node::Not(after) = syntax.nodes[*last]
                        && let Some(heads) = &self.info(after).heads
                    {
                        let core = self.sequence(core, None, span);
                        let other = self.builder.class(difference(&[ALL], heads), span);
                        let all = self.all(span);
                        let rest = self.builder.sequence(&[other, all], span);
                        let rest = self.builder.repeat(rest, 0, Some(1), span);
                        return self.builder.sequence(&[core, rest], span);
                    }
                }
                _ => {}
            }
        }
        let spaced = std::mem::replace(&mut self.spaced, false);
        let expr = self.emit(id, None);
        self.spaced = spaced;
        let all = self.all(span);
        self.builder.sequence(&[expr, all], span)
    }

    /// `(!p ~ x)*`, or `(other | !p ~ x)*`.
    fn until(&self, id: NodeId) -> Option<Until> {
        let Node::Repeat { node, min, max: None } = self.syntax.nodes[id] else { return None };
        let pair = |id: NodeId| {
            let id = self.open(id);
            let Node::Sequence(items) = &self.syntax.nodes[id] else { return None };
            let &[first, symbol] = items.as_slice() else { return None };
            let Node::Not(ahead) = self.syntax.nodes[first] else { return None };
            let looked = self.info(ahead);
            let fits = looked.regular && looked.heads.is_none() && !looked.nullable;
            (fits && self.info(symbol).one.is_some()).then_some((ahead, symbol))
        };
        if let Some((ahead, symbol)) = pair(node) {
            return (min <= 1).then(|| Until { ahead, symbol, others: Vec::new(), min });
        }
        let Node::Choice(alternatives) = &self.syntax.nodes[self.open(node)] else { return None };
        let mut found = None;
        let mut others = Vec::new();
        for &alternative in alternatives {
            match pair(alternative) {
                Some(pair) if found.is_none() => found = Some(pair),
                _ => others.push(alternative),
            }
        }
        let (ahead, symbol) = found?;
        (min == 0).then_some(Until { ahead, symbol, others, min })
    }

    /// What a name stands for, if it is a rule.
    fn open(&self, id: NodeId) -> NodeId {
        let Node::Name(name) = &self.syntax.nodes[id] else { return id };
        self.facts.rules.get(name).map_or(id, |&rule| self.syntax.rules[rule].body)
    }

    fn emit_until(&mut self, until: &Until, id: NodeId, next: Option<NodeId>) -> ExprId {
        let span = self.syntax.spans[id];
        let text = self.text(until.ahead);
        let mut tails: Vec<String> = Vec::new();
        if next.is_some_and(|next| self.is_same(next, until.ahead)) {
            // Before `p`, what would begin something else together with it: of `""""` the first three
            // are `"""`, and `\"""` may be an escape.
            if let Some(text) = text {
                let others = until.others.iter().filter_map(|&other| self.text(other));
                for other in others.chain([text]) {
                    let cuts = other.char_indices().map(|(at, _)| at).skip(1);
                    let begins = |at: &usize| {
                        text.starts_with(&other[*at..]) || other[*at..].starts_with(text)
                    };
                    tails.extend(cuts.filter(begins).map(|at| other[..at].to_owned()));
                }
            }
        } else {
            let begins = text.map_or(Set::default(), |text| Set::first_of(text, false));
            if !self.facts.follow[id].is_within(begins) {
                let effect = "what it refuses only together with what follows is produced and read";
                self.lose(until.ahead, "this looks further than what is repeated", effect);
            }
        }
        let last = self.run(until, id, &tails);
        if until.others.is_empty() {
            return last;
        }
        // Each of the others with the run before it, so that no two runs meet.
        let run = self.run(until, id, &[]);
        let others: Vec<ExprId> =
            until.others.iter().map(|&other| self.emit(other, None)).collect();
        let other = self.builder.choice(&others, span);
        let pair = self.builder.sequence(&[run, other], span);
        let pairs = self.builder.repeat(pair, 0, None, span);
        self.builder.sequence(&[pairs, last], span)
    }

    /// The text that an expression is, if it is one.
    fn text(&self, id: NodeId) -> Option<&'a str> {
        match &self.syntax.nodes[self.open(id)] {
            Node::Text { text, ignore_case: false } => Some(text),
            _ => None,
        }
    }

    /// Symbols among which what is looked for does not begin, and that do not end in certain texts.
    fn run(&mut self, until: &Until, id: NodeId, tails: &[String]) -> ExprId {
        let span = self.syntax.spans[id];
        let symbols = |this: &mut Self, min| {
            let symbol = this.emit(until.symbol, None);
            this.builder.repeat(symbol, min, None, span)
        };
        let base = symbols(self, until.min);
        let before = symbols(self, 0);
        let found = self.ahead(until.ahead);
        let mut minus = vec![self.builder.sequence(&[before, found], span)];
        for tail in tails {
            let before = symbols(self, 0);
            let tail = self.builder.literal(tail.as_bytes(), false, span);
            minus.push(self.builder.sequence(&[before, tail], span));
        }
        let minus = self.builder.choice(&minus, span);
        self.builder.except(base, minus, span)
    }

    /// Whether two expressions are written alike.
    fn is_same(&self, one: NodeId, other: NodeId) -> bool {
        let text = |id: NodeId| {
            let Span { file, start, end } = self.syntax.spans[id];
            &self.builder.grammar.files[file as usize].text[start as usize..end as usize]
        };
        text(one).trim_matches(['(', ')', ' ']) == text(other).trim_matches(['(', ')', ' '])
    }

    /// The pieces of a sequence. Where layout stands between letters or digits that are pieces of
    /// their own, it need not, which tokens do not say: such runs are one token, with layout written out.
    fn join(&mut self, pieces: Vec<Piece>) -> Vec<ExprId> {
        let word = Set::of(&[(48, 57), (65, 90), (95, 95), (97, 122)]);
        let is_symbol = |piece: &Piece| {
            let one = piece.info.one.is_some() || piece.count != (1, Some(1));
            one && !piece.info.first.is_apart(word)
        };
        let mut exprs = Vec::with_capacity(pieces.len());
        let mut pieces = pieces.into_iter().peekable();
        while let Some(piece) = pieces.next() {
            if !self.spaced || !is_symbol(&piece) {
                exprs.push(self.counted(&piece));
                continue;
            }
            let mut run = vec![piece];
            while let Some(piece) = pieces.next_if(is_symbol) {
                run.push(piece);
            }
            let many = |piece: &Piece| piece.count.1.is_none_or(|max| max > 1);
            if run.len() == 1 && !many(&run[0]) {
                exprs.push(self.counted(&run[0]));
                continue;
            }
            exprs.push(self.spaced_out(&run));
        }
        exprs
    }

    /// A token of symbols between which layout may stand.
    fn spaced_out(&mut self, run: &[Piece]) -> ExprId {
        let span = Span { end: run[run.len() - 1].span.end, ..run[0].span };
        let mut items = Vec::new();
        // Where every layout could be symbols as well, there is none to be written.
        let white =
            self.facts.rule(self.syntax, "WHITESPACE").map_or(Set::default(), |info| info.first);
        let has_comments = self.facts.rules.contains_key("COMMENT");
        let inside = self.facts.inside[self.rule];
        if inside {
            let what = "an atomic rule uses this one, and so does another";
            let effect = "no layout stands between these symbols in either, though pest reads some";
            self.builder.lose(span, what, effect);
        }
        for (at, piece) in run.iter().enumerate() {
            let own = piece.info.first;
            let hides = inside || !has_comments && run.len() == 1 && white.is_within(own);
            let layout = |this: &mut Self| {
                let name = if hides { None } else { Some(this.layout) };
                name.map(|name| this.builder.reference(name, span))
            };
            let (min, max) = piece.count;
            if (min, max) == (1, Some(1)) {
                if at > 0 {
                    items.extend(layout(self));
                }
                items.push(piece.expr);
            } else if hides {
                items.push(self.counted(piece));
            } else if let (1, Some(symbol)) = (run.len(), piece.symbol) {
                // `x (layout x){..}`, which is optional if none is needed.
                let again = self.emit(symbol, None);
                let pair: Vec<ExprId> = layout(self).into_iter().chain([again]).collect();
                let pair = self.builder.sequence(&pair, span);
                let max = max.map(|max| max.saturating_sub(1));
                let rest = self.builder.repeat(pair, min.saturating_sub(1), max, span);
                let whole = self.builder.sequence(&[piece.expr, rest], span);
                items.push(match min {
                    0 => self.builder.repeat(whole, 0, Some(1), span),
                    _ => whole,
                });
            } else {
                let layout = layout(self);
                let pair: Vec<ExprId> = match at {
                    0 => [piece.expr].into_iter().chain(layout).collect(),
                    _ => layout.into_iter().chain([piece.expr]).collect(),
                };
                let pair = self.builder.sequence(&pair, span);
                items.push(self.builder.repeat(pair, min, max, span));
            }
        }
        let body = self.builder.sequence(&items, span);
        self.more += 1;
        let mut name = format!("{}_{}", self.syntax.rules[self.rule].name, self.more);
        while self.facts.rules.contains_key(&name) {
            name.push('_');
        }
        self.builder.rule(&name, span, body);
        self.builder.grammar.lexical.push(Name { text: name.clone(), span });
        self.builder.reference(name, span)
    }
}
