//! Which rules of a `grammar.json` are single tokens, and where layout may stand before what they begin with.

use std::collections::HashMap;

use super::syntax::{Node, NodeId, Syntax};
use crate::import::links::{settle, users};

/// What is known of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Info {
    pub(super) nullable: bool,
    /// Whether it can begin with a token before which layout may stand.
    pub(super) plain: bool,
    /// Whether it can begin with a token that must follow immediately.
    pub(super) immediate: bool,
    /// Whether it is certainly one token, or several that follow each other immediately.
    pub(super) token: bool,
}

impl Info {
    /// Whether it can stand only right behind something.
    pub(super) fn is_glued(self) -> bool {
        self.immediate && !self.plain
    }
}

/// What is known of a grammar.
#[derive(Debug)]
pub(super) struct Facts {
    /// By node.
    pub(super) infos: Vec<Info>,
    /// By name, the rule.
    pub(super) rules: HashMap<String, usize>,
}

impl Facts {
    pub(super) fn of(syntax: &Syntax) -> Self {
        let names = syntax.rules.iter().enumerate().rev();
        let rules: HashMap<String, usize> =
            names.map(|(index, rule)| (rule.name.clone(), index)).collect();
        // By rule its nodes, and those of the rules that it refers to.
        let mut nodes = Vec::with_capacity(syntax.rules.len());
        let mut targets = vec![Vec::new(); syntax.rules.len()];
        for (index, rule) in syntax.rules.iter().enumerate() {
            let own = below(syntax, rule.body);
            targets[index].extend(own.iter().filter_map(|&id| match &syntax.nodes[id] {
                Node::Symbol(name) => rules.get(name).copied(),
                _ => None,
            }));
            nodes.push(own);
        }
        let mut facts = Self { infos: vec![Info::default(); syntax.nodes.len()], rules };
        settle(&targets, &users(&targets), |rule, first| {
            let body = syntax.rules[rule].body;
            let before = facts.infos[body];
            facts.pass(syntax, &nodes[rule], first);
            before != facts.infos[body]
        });
        facts
    }

    /// Looks at some nodes, the inner ones first.
    fn pass(&mut self, syntax: &Syntax, nodes: &[NodeId], token: bool) {
        for &id in nodes {
            let info = self.info(syntax, id);
            // A rule that leads to itself is no token, but tokens in it are.
            let is_token =
                matches!(syntax.nodes[id], Node::Token { .. } | Node::Text(_) | Node::Pattern(_));
            let token = info.token && (token || is_token || self.is_closed(syntax, id));
            self.infos[id] = Info { token, ..info };
        }
    }

    /// Whether all parts of a node are tokens already.
    fn is_closed(&self, syntax: &Syntax, id: NodeId) -> bool {
        match &syntax.nodes[id] {
            Node::Symbol(name) => {
                let rule = self.rules.get(name);
                rule.is_some_and(|&rule| self.infos[syntax.rules[rule].body].token)
            }
            Node::Sequence(items) | Node::Choice(items) => {
                items.iter().all(|&item| self.infos[item].token)
            }
            &Node::Repeat { node, .. } => self.infos[node].token,
            _ => true,
        }
    }

    fn info(&self, syntax: &Syntax, id: NodeId) -> Info {
        let plain = Info { plain: true, token: true, ..Info::default() };
        match &syntax.nodes[id] {
            Node::Blank => Info { nullable: true, token: true, ..Info::default() },
            Node::Text(text) if text.is_empty() => {
                Info { nullable: true, token: true, ..Info::default() }
            }
            Node::Text(_) | Node::Pattern(_) => plain,
            Node::Token { node, immediate } => Info {
                nullable: self.infos[*node].nullable,
                plain: !immediate,
                immediate: *immediate,
                token: true,
            },
            Node::Symbol(name) => match self.rules.get(name) {
                Some(&rule) => self.infos[syntax.rules[rule].body],
                None => Info { token: false, ..plain },
            },
            Node::Choice(alternatives) => {
                let mut whole = Info { token: true, ..Info::default() };
                for &alternative in alternatives {
                    let info = self.infos[alternative];
                    whole.nullable |= info.nullable;
                    whole.plain |= info.plain;
                    whole.immediate |= info.immediate;
                    whole.token &= info.token;
                }
                whole
            }
            &Node::Repeat { node, min } => {
                let info = self.infos[node];
                let nullable = info.nullable || min == 0;
                Info { nullable, token: info.token && !info.plain, ..info }
            }
            Node::Sequence(items) => {
                let mut whole = Info { nullable: true, token: true, ..Info::default() };
                let mut begun = false;
                for &item in items {
                    let info = self.infos[item];
                    if whole.nullable {
                        whole.plain |= info.plain;
                        whole.immediate |= info.immediate;
                    }
                    whole.nullable &= info.nullable;
                    whole.token &= info.token && !(begun && info.plain);
                    begun |= info.plain || info.immediate;
                }
                whole
            }
        }
    }
}

/// A node and all that it contains, the inner ones first.
fn below(syntax: &Syntax, id: NodeId) -> Vec<NodeId> {
    let (mut out, mut stack) = (Vec::new(), vec![id]);
    while let Some(id) = stack.pop() {
        out.push(id);
        match &syntax.nodes[id] {
            Node::Sequence(items) | Node::Choice(items) => stack.extend(items),
            Node::Repeat { node, .. } | Node::Token { node, .. } => stack.push(*node),
            Node::Blank | Node::Text(_) | Node::Pattern(_) | Node::Symbol(_) => {}
        }
    }
    out.reverse();
    out
}
