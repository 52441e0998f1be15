//! What the expressions of a grammar can begin with and be followed by, and which are tokens.

use std::collections::HashMap;

use super::builtin::{Builtin, builtin};
use super::set::Set;
use super::syntax::{Kind, Node, NodeId, Syntax};
use crate::import::links::{reached, settle, users};
use crate::import::ranges::{Ranges, union};
use pleach_core::internal::difference;

/// Of what has more ranges no symbols are noted: those of a property of Unicode are below a thousand.
const MOST_RANGES: usize = 1024;

/// What is known of an expression.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Info {
    /// Whether it can match the empty text.
    pub(super) nullable: bool,
    /// What it can begin with.
    pub(super) first: Set,
    /// Whether it is certainly regular: it leads to no recursion.
    pub(super) regular: bool,
    /// Whether it is regular and no layout stands in it.
    pub(super) token: bool,
    /// The greatest number of symbols; none where there is no bound.
    pub(super) longest: Option<u32>,
    /// Its symbols, where it is always one.
    pub(super) one: Option<Ranges>,
    /// The symbols that tell that it matches, where the next one does.
    pub(super) heads: Option<Ranges>,
    /// Whether it ends by looking ahead, as a keyword does that no letter may follow.
    pub(super) boundary: bool,
}

impl Info {
    /// One symbol.
    pub(super) fn symbol(ranges: Vec<(u32, u32)>) -> Self {
        Self {
            first: Set::of(&ranges),
            regular: true,
            token: true,
            longest: Some(1),
            heads: Some(ranges.clone()),
            one: Some(ranges),
            nullable: false,
            boundary: false,
        }
    }

    /// The empty text.
    pub(super) fn empty() -> Self {
        let longest = Some(0);
        Self { nullable: true, regular: true, token: true, longest, ..Self::default() }
    }

    fn text(text: &str, ignore_case: bool) -> Self {
        let mut chars = text.chars();
        let Some(first) = chars.next() else { return Self::empty() };
        if chars.next().is_none() {
            let cases = [first.to_ascii_lowercase(), first.to_ascii_uppercase()].map(u32::from);
            let exact = (u32::from(first), u32::from(first));
            let ranges = match ignore_case {
                true => union(cases.map(|code| (code, code)).to_vec()),
                false => vec![exact],
            };
            return Self::symbol(ranges);
        }
        Self {
            first: Set::first_of(text, ignore_case),
            regular: true,
            token: true,
            longest: u32::try_from(text.chars().count()).ok(),
            ..Self::default()
        }
    }
}

/// Where layout stands, by rule.
struct Uses {
    spaced: Vec<bool>,
    inside: Vec<bool>,
    written: Vec<bool>,
}

impl Uses {
    fn of(
        syntax: &Syntax,
        rules: &HashMap<String, usize>,
        targets: &[Vec<usize>],
        users: &[Vec<usize>],
    ) -> Self {
        let kind = |rule: usize| syntax.rules[rule].kind;
        let of_kind = |wanted: Kind| (0..users.len()).filter(move |&rule| kind(rule) == wanted);
        let layout: Vec<usize> =
            ["WHITESPACE", "COMMENT"].iter().filter_map(|name| rules.get(*name).copied()).collect();
        let is_root = |&rule: &usize| users[rule].iter().all(|&user| user == rule);
        let mut outer: Vec<usize> = (0..users.len()).filter(is_root).collect();
        if outer.is_empty() {
            outer.extend((0..users.len()).take(1));
        }
        outer.extend(of_kind(Kind::NonAtomic));
        let mut spaced = reached(targets, outer, |rule| kind(rule) != Kind::Atomic);
        spaced.iter_mut().for_each(|spaced| *spaced &= !layout.is_empty());
        let mut inside =
            reached(targets, of_kind(Kind::Atomic), |rule| kind(rule) != Kind::NonAtomic);
        of_kind(Kind::Atomic).for_each(|rule| inside[rule] = false);
        let in_atomic = |&user: &usize| kind(user) == Kind::Atomic || inside[user] && !spaced[user];
        let open = of_kind(Kind::NonAtomic).filter(|&rule| users[rule].iter().any(in_atomic));
        let mut written = reached(targets, open, |rule| kind(rule) != Kind::Atomic);
        // Layout has no layout in it.
        let has_layout = !layout.is_empty();
        for (written, in_layout) in written.iter_mut().zip(reached(targets, layout, |_| true)) {
            *written &= has_layout && !in_layout;
        }
        Self { spaced, inside, written }
    }
}

/// What is known of a grammar.
#[derive(Debug)]
pub(super) struct Facts {
    /// By expression.
    pub(super) infos: Vec<Info>,
    /// By expression, what can follow it in the text, behind layout.
    pub(super) follow: Vec<Set>,
    /// By name, the rule.
    pub(super) rules: HashMap<String, usize>,
    /// By name that no rule has, what pest has.
    pub(super) builtins: HashMap<String, Builtin>,
    /// By rule, the rules that it refers to.
    pub(super) targets: Vec<Vec<usize>>,
    /// By rule, those that refer to it.
    pub(super) users: Vec<Vec<usize>>,
    /// Whether there is layout.
    pub(super) has_layout: bool,
    /// By rule, whether layout stands between its parts somewhere.
    pub(super) spaced: Vec<bool>,
    /// By rule that is not atomic, whether an atomic one uses it.
    pub(super) inside: Vec<bool>,
    /// By rule, whether atomic ones use it by way of one with `!`, so that its layout is to be written out.
    pub(super) written: Vec<bool>,
}

impl Facts {
    pub(super) fn of(syntax: &Syntax) -> Self {
        let names = syntax.rules.iter().enumerate().rev();
        let rules: HashMap<String, usize> =
            names.map(|(index, rule)| (rule.name.clone(), index)).collect();
        let has_layout = rules.contains_key("WHITESPACE") || rules.contains_key("COMMENT");
        let mut builtins = HashMap::new();
        let mut targets = vec![Vec::new(); syntax.rules.len()];
        for (index, rule) in syntax.rules.iter().enumerate() {
            for node in &syntax.nodes[rule.nodes.clone()] {
                let Node::Name(name) = node else { continue };
                if let Some(&target) = rules.get(name) {
                    targets[index].push(target);
                } else if !builtins.contains_key(name)
                    && let Some(found) = builtin(name)
                {
                    builtins.insert(name.clone(), found);
                }
            }
        }
        let users = users(&targets);
        let infos = vec![Info::default(); syntax.nodes.len()];
        let follow = vec![Set::default(); syntax.nodes.len()];
        let Uses { spaced, inside, written } = Uses::of(syntax, &rules, &targets, &users);
        let mut facts = Self {
            infos,
            follow,
            rules,
            builtins,
            targets,
            users,
            has_layout,
            spaced,
            inside,
            written,
        };
        facts.settle(syntax);
        facts.follow(syntax);
        facts
    }

    /// What is known of a rule by its name.
    pub(super) fn rule<'f>(&'f self, syntax: &Syntax, name: &str) -> Option<&'f Info> {
        self.rules.get(name).map(|&rule| &self.infos[syntax.rules[rule].body])
    }

    /// Fills `infos`.
    fn settle(&mut self, syntax: &Syntax) {
        let (targets, users) = (self.targets.clone(), self.users.clone());
        settle(&targets, &users, |rule, regular| self.pass(syntax, rule, regular));
    }

    /// Looks at a rule; whether anything is new of it.
    fn pass(&mut self, syntax: &Syntax, rule: usize, regular: bool) -> bool {
        let spaced = self.spaced[rule];
        let rule = &syntax.rules[rule];
        let before = (self.infos[rule.body].nullable, self.infos[rule.body].first);
        for id in rule.nodes.clone() {
            self.infos[id] = self.info(syntax, id, spaced);
        }
        // What leads to itself is not regular; its parts that do not lead to it may be.
        if !regular {
            let Info { nullable, first, .. } = self.infos[rule.body];
            self.infos[rule.body] = Info { nullable, first, ..Info::default() };
        }
        if rule.kind == Kind::Atomic {
            // Inside, what it is made of counts; outside, that it is regular.
            self.infos[rule.body].token = self.infos[rule.body].regular;
        }
        before != (self.infos[rule.body].nullable, self.infos[rule.body].first)
    }

    /// What is known of an expression by what is known of its parts.
    fn info(&self, syntax: &Syntax, id: NodeId, spaced: bool) -> Info {
        let info = match &syntax.nodes[id] {
            Node::Text { text, ignore_case } => Info::text(text, *ignore_case),
            &Node::Range(low, high) => Info::symbol(vec![(low, high)]),
            Node::Name(name) => match (self.rule(syntax, name), self.builtins.get(name)) {
                (Some(info), _) => info.clone(),
                (None, Some(Builtin::Class(ranges) | Builtin::Property(ranges))) => {
                    Info::symbol(ranges.clone())
                }
                (None, Some(Builtin::Newline)) => {
                    let ends = vec![(10, 10), (13, 13)];
                    Info { one: None, longest: Some(2), ..Info::symbol(ends) }
                }
                (None, Some(Builtin::Edge { .. })) => Info::empty(),
                (None, None) => Info::default(),
            },
            Node::Sequence(items) => return self.sequence(syntax, items, spaced),
            Node::Choice(alternatives) => return self.choice(alternatives),
            &Node::Repeat { node, min, max } => {
                let info = &self.infos[node];
                let count = |longest| Some(longest).zip(max);
                Info {
                    nullable: info.nullable || min == 0,
                    first: info.first,
                    regular: info.regular,
                    token: info.token && (!spaced || max.is_some_and(|max| max <= 1)),
                    longest: match info.longest {
                        Some(0) => Some(0),
                        longest => longest
                            .and_then(count)
                            .and_then(|(longest, max)| longest.checked_mul(max)),
                    },
                    one: info.one.clone().filter(|_| min == 1 && max == Some(1)),
                    heads: info.heads.clone().filter(|_| min == 1),
                    boundary: false,
                }
            }
            Node::Not(_) | Node::And(_) => Info::empty(),
            Node::Stack(_) => Info::default(),
        };
        // Inside atomic rules no layout stands, whatever is referred to.
        Info { token: if spaced { info.token } else { info.regular }, ..info }
    }

    fn sequence(&self, syntax: &Syntax, items: &[NodeId], spaced: bool) -> Info {
        let mut info = Info::empty();
        let mut parts = 0;
        // What the next symbol is not to be, and whether more is asked of it.
        let (mut refused, mut plain) = (Vec::new(), true);
        for &item in items {
            let mut next = &self.infos[item];
            let taken;
            match syntax.nodes[item] {
                Node::Not(node) => {
                    match &self.infos[node].heads {
                        Some(heads) => refused.extend_from_slice(heads),
                        None => plain = false,
                    }
                    continue;
                }
                Node::And(_) => {
                    plain = false;
                    continue;
                }
                _ => {}
            }
            if !refused.is_empty()
                && let Some(one) = &next.one
            {
                let left = difference(one, &union(std::mem::take(&mut refused)));
                taken = Info { token: next.token, ..Info::symbol(left) };
                next = &taken;
            }
            if info.nullable {
                info.first = info.first.or(next.first);
            }
            if next.longest != Some(0) {
                parts += 1;
                let (one, heads) = match plain {
                    true => (next.one.clone(), next.heads.clone()),
                    false => (None, None),
                };
                info.one = one.filter(|_| parts == 1);
                info.heads = if parts == 1 { heads } else { info.heads.filter(|_| next.nullable) };
            }
            info.nullable &= next.nullable;
            info.regular &= next.regular;
            info.token &= next.token;
            info.longest =
                info.longest.zip(next.longest).and_then(|(one, two)| one.checked_add(two));
        }
        if !refused.is_empty() || !plain {
            (info.one, info.heads) = (None, None);
        }
        info.token = if spaced { info.token && parts < 2 } else { info.regular };
        info.boundary = items.last().is_some_and(|&last| match syntax.nodes[last] {
            Node::Not(node) => self.infos[node].heads.is_some(),
            _ => false,
        });
        info
    }

    fn choice(&self, alternatives: &[NodeId]) -> Info {
        let all = || alternatives.iter().map(|&one| &self.infos[one]);
        let ranges = |of: fn(&Info) -> Option<&Ranges>| {
            let mut out = Vec::new();
            for info in all() {
                out.extend_from_slice(of(info)?);
            }
            Some(union(out)).filter(|ranges| ranges.len() <= MOST_RANGES)
        };
        let heads: Vec<(u32, u32)> =
            all().filter_map(|info| info.heads.clone()).flatten().collect();
        let told = Set::of(&heads);
        let is_told =
            |info: &Info| info.heads.is_some() || !info.nullable && info.first.is_within(told);
        Info {
            nullable: all().any(|info| info.nullable),
            first: all().fold(Set::default(), |set, info| set.or(info.first)),
            regular: all().all(|info| info.regular),
            token: all().all(|info| info.token),
            longest: all().map(|info| info.longest).try_fold(0, |most, one| Some(most.max(one?))),
            one: ranges(|info| info.one.as_ref()),
            heads: (!heads.is_empty() && all().all(is_told))
                .then(|| union(heads.clone()))
                .filter(|heads| heads.len() <= MOST_RANGES),
            boundary: all().any(|info| info.boundary),
        }
    }

    /// Fills `follow`.
    fn follow(&mut self, syntax: &Syntax) {
        let count = syntax.rules.len();
        let mut ends = vec![Set::default(); count];
        let mut queue: Vec<usize> = (0..count).rev().collect();
        let mut queued = vec![true; count];
        while let Some(rule) = queue.pop() {
            queued[rule] = false;
            self.follow[syntax.rules[rule].body] = ends[rule];
            for id in syntax.rules[rule].nodes.clone().rev() {
                let after = self.follow[id];
                match &syntax.nodes[id] {
                    Node::Name(name) => {
                        let Some(&target) = self.rules.get(name) else { continue };
                        let more = ends[target].or(after);
                        if more != ends[target] {
                            ends[target] = more;
                            if !std::mem::replace(&mut queued[target], true) {
                                queue.push(target);
                            }
                        }
                    }
                    Node::Sequence(items) => {
                        let mut after = after;
                        for &item in items.iter().rev() {
                            self.follow[item] = after;
                            let info = &self.infos[item];
                            after = match info.nullable {
                                true => after.or(info.first),
                                false => info.first,
                            };
                        }
                    }
                    Node::Choice(alternatives) => {
                        for &alternative in alternatives {
                            self.follow[alternative] = after;
                        }
                    }
                    &Node::Repeat { node, max, .. } => {
                        let again = max.is_none_or(|max| max > 1);
                        let first = if again { self.infos[node].first } else { Set::default() };
                        self.follow[node] = after.or(first);
                    }
                    // What is only looked ahead at is not followed by what this grammar derives.
                    &Node::Not(node) | &Node::And(node) => self.follow[node] = Set::default(),
                    Node::Text { .. } | Node::Range(..) | Node::Stack(_) => {}
                }
            }
        }
    }
}
