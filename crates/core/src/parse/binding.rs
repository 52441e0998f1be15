//! Which operators may be operands of which others, as the grammar's bindings say.
//!
//! Where a rule begins or ends with itself, a text of several operators is cut into alternatives in
//! one way, but can be nested in many. A parser that shifts and reduces nests them by asking, of each
//! pair of an operator whose right operand has ended and one whose left operand that could be, which
//! takes the other: the one that binds tighter, and between two of one level what their
//! associativity says (Aho, Johnson and Ullman, "Deterministic parsing of ambiguous grammars", 1975).
//! The same trees are those in which no operand has, on its side towards the operator, one that
//! had to be outside. That includes operators deep inside: in `1 * not 1 + 1` the sum is an operand
//! of `not`, though `*` binds tighter than `+`, because `not` would else stand at the right end of
//! the sum's left operand.
//!
//! So the parser reads another grammar, in which such a rule, a **family**, is there once for each
//! context: what stands to the left and right of it that could take its operators. The alternatives
//! are the same, less those that the context refuses. Expressions in layers are written by hand so. A
//! rule that only leads to the family's operators (`expression = sum | product`) is there once for
//! each context as well. Contexts that admit the same are one (Moore's minimisation).
//!
//! Each pair is asked once, so each text has one nesting at least that answers to all of them: the
//! language stays the same. It would not where two operators could not change places. So an operator is
//! an alternative of what the family leads to by single symbols, and begins or ends with the family, or
//! with what leads to it by single symbols (`( e | block )`, which is split into what is an `e` and what is
//! not). The outer one of a pair has to stand in the place of the family; the inner one stands at the end of its operand, whatever is between (`cast = "(" type ")" lambda`).
//! A rule that can derive itself over its own text has no operators, and keeps no context. An alternative
//! without a binding takes and is taken by all.

use fxhash::{FxHashMap, FxHashSet};

use super::id::ContextId;
use super::id_vec::IdVec;
use crate::grammar::{Associativity, Binding};
use crate::id::Id as _;
use crate::table::{AlternativeId, RuleId, Symbol, Table};

/// More alternatives than this, in all contexts together, are not told apart: then no binding counts.
const MOST_ADMITTED: usize = 1 << 19;

/// More steps from rule to rule than this are not taken: then no binding counts either.
const MOST_STEPS: usize = 1 << 22;

/// The rules of a table in their contexts.
#[derive(Clone, Debug)]
pub(super) struct Contexts {
    /// The context of each rule where nothing around it could take its operators; none of rules that
    /// are no families.
    pub(super) fresh: IdVec<RuleId, Option<ContextId>>,
    /// What each context admits, in the order of the alternatives.
    pub(super) admitted: IdVec<ContextId, Vec<Admitted>>,
    /// The rule that each context is of.
    pub(super) rules: IdVec<ContextId, RuleId>,
}

/// An alternative that a context admits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Admitted {
    pub(super) alternative: AlternativeId,
    /// The contexts of its first and its last item; none where nothing is asked of them. The only item
    /// is the first.
    pub(super) edges: [Option<ContextId>; 2],
}

/// What stands beside a rule: what binds to its left and to its right.
type Sides = [Option<Binding>; 2];

/// A family around a rule, and what stands beside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Around {
    family: RuleId,
    sides: Sides,
    /// Whether the rule is in the place of the family. Else it is only at an end of something there.
    is_place: bool,
}

/// Which derivations of a rule count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Part {
    All,
    /// Of a rule that may be the family, those that the family has as well, or all but those.
    Only(RuleId),
    Without(RuleId),
}

/// A rule in a context.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Context {
    rule: RuleId,
    part: Part,
    around: Vec<Around>,
}

/// What single symbols lead to.
#[derive(Debug, Default)]
struct Links {
    /// The rules that each rule leads to, itself included.
    reached: FxHashMap<RuleId, FxHashSet<RuleId>>,
    steps: usize,
}

impl Links {
    fn reached(&mut self, table: &Table, rule: RuleId) -> &FxHashSet<RuleId> {
        self.reached.entry(rule).or_insert_with(|| {
            let mut found: FxHashSet<RuleId> = [rule].into_iter().collect();
            let mut queue = vec![rule];
            while let Some(rule) = queue.pop().filter(|_| self.steps <= MOST_STEPS) {
                for alternative in table.all_alternatives(rule) {
                    self.steps += 1;
                    if let &[only] = table.items(alternative)
                        && let Some(target) = table.rule_behind(only)
                        && found.insert(target)
                    {
                        queue.push(target);
                    }
                }
            }
            found
        })
    }
}

/// The first and the last item of an alternative that has both.
fn ends(table: &Table, alternative: AlternativeId) -> Option<[Symbol; 2]> {
    match *table.items(alternative) {
        [first, .., last] => Some([first, last]),
        _ => None,
    }
}

/// The rules that begin or end with themselves and say how their operators bind; none that may derive
/// itself over its own text.
fn families(table: &Table, links: &mut Links, is_cyclic: impl Fn(RuleId) -> bool) -> Vec<RuleId> {
    let mut sides: FxHashMap<RuleId, [bool; 2]> = FxHashMap::default();
    for alternative in (0..table.alternative_count()).map(AlternativeId::at) {
        let (Some(_), Some(ends)) = (table.binding(alternative), ends(table, alternative)) else {
            continue;
        };
        let owner = table.rule_of(alternative);
        for (side, rule) in ends.map(|item| table.rule_behind(item)).into_iter().enumerate() {
            let Some(rule) = rule else { continue };
            let found: Vec<RuleId> = links.reached(table, rule).iter().copied().collect();
            let found: Vec<RuleId> = found
                .into_iter()
                .filter(|&family| links.reached(table, family).contains(&owner))
                .filter(|&family| table.group_site(family).is_none())
                .collect();
            links.steps = links.steps.saturating_add(found.len() * found.len());
            if links.steps > MOST_STEPS {
                return Vec::new();
            }
            // Those on the way from one to the operator would tell no more.
            for &family in &found {
                let is_inner = |&outer: &RuleId| {
                    outer != family && links.reached(table, outer).contains(&family)
                };
                if !found.iter().any(is_inner) {
                    sides.entry(family).or_default()[side] = true;
                }
            }
        }
    }
    // As numbers: each type that is sorted has its own copy of a long routine.
    let mut families: Vec<u32> = sides
        .into_iter()
        .filter(|&(_, sides)| sides == [true; 2])
        .map(|(family, _)| family)
        .filter(|&family| !links.reached(table, family).iter().any(|&rule| is_cyclic(rule)))
        .map(RuleId::get)
        .collect();
    families.sort_unstable();
    families.into_iter().map(RuleId::new).collect()
}

/// Whether the second of two operators may be in the right operand of the first, and whether the first
/// may be in the left operand of the second.
fn nestings(left: Binding, right: Binding) -> [bool; 2] {
    use Associativity::{Left, Right, Unspecified};
    match (left.level.cmp(&right.level), left.associativity, right.associativity) {
        (std::cmp::Ordering::Less, ..) => [true, false],
        (std::cmp::Ordering::Greater, ..) => [false, true],
        (_, Left, _) | (_, Unspecified, Left) => [false, true],
        (_, Right, _) | (_, Unspecified, Right) => [true, false],
        (_, Unspecified, Unspecified) => [true, true],
    }
}

/// Whether an operator may stand at one side of an operand (0 for the left one), towards what is beside
/// the operand there.
fn fits(side: usize, beside: Option<Binding>, own: Option<Binding>) -> bool {
    let (Some(beside), Some(own)) = (beside, own) else { return true };
    match side {
        0 => nestings(beside, own)[0],
        _ => nestings(own, beside)[1],
    }
}

/// Finds contexts, from the families on.
struct Finder<'t, C> {
    table: &'t Table,
    is_cyclic: C,
    links: Links,
    families: Vec<RuleId>,
    /// By family, the rules that lead to it by their first items, and by their last ones.
    leading: FxHashMap<RuleId, [FxHashSet<RuleId>; 2]>,
    /// By family and rule, whether the rule derives anything that the family does not.
    others: FxHashMap<(RuleId, RuleId), bool>,
    numbers: FxHashMap<Context, ContextId>,
    queue: IdVec<ContextId, Context>,
}

impl Contexts {
    /// The contexts of a table's families; none where there is no family.
    pub(super) fn new(table: &Table, is_cyclic: impl Fn(RuleId) -> bool) -> Option<Self> {
        let mut links = Links::default();
        let families = families(table, &mut links, &is_cyclic);
        if families.is_empty() || links.steps > MOST_STEPS {
            return None;
        }
        let mut finder = Finder {
            table,
            is_cyclic,
            links,
            families,
            leading: FxHashMap::default(),
            others: FxHashMap::default(),
            numbers: FxHashMap::default(),
            queue: IdVec::default(),
        };
        finder.find_leading();
        let mut fresh = IdVec::from(vec![None; table.rule_count()]);
        for family in finder.families.clone() {
            let around = Around { family, sides: [None; 2], is_place: true };
            fresh[family] = Some(finder.number(family, Part::All, vec![around]));
        }
        let (mut admitted, mut total) = (IdVec::default(), 0);
        while let Some(context) = finder.queue.get(admitted.end()).cloned() {
            let found = finder.admitted(&context);
            total += found.len();
            admitted.push(found);
            if total > MOST_ADMITTED || finder.links.steps > MOST_STEPS {
                return None;
            }
        }
        let rules = finder.queue.iter().map(|context| context.rule).collect();
        let mut contexts = Self { fresh, admitted, rules };
        contexts.minimise();
        Some(contexts)
    }

    /// Makes one of the contexts that admit the same.
    fn minimise(&mut self) {
        // Classes have numbers as the contexts have that become of them; at first as the rules have.
        let classes = self.rules.iter().map(|rule| ContextId::new(rule.get()));
        let mut classes: IdVec<ContextId, ContextId> = classes.collect();
        let mut count = 0;
        loop {
            let class = |edge: Option<ContextId>| edge.map(|edge| classes[edge]);
            let mut known = FxHashMap::default();
            let mut next = IdVec::default();
            for (rule, admitted) in self.rules.iter().zip(&self.admitted) {
                let edges = |one: &Admitted| (one.alternative, one.edges.map(class));
                let signature: Vec<_> = admitted.iter().map(edges).collect();
                let number = ContextId::at(known.len());
                next.push(*known.entry((*rule, signature)).or_insert(number));
            }
            let found = known.len();
            classes = next;
            // Classes are only ever split.
            if found == std::mem::replace(&mut count, found) {
                break;
            }
        }
        let class = |edge: Option<ContextId>| edge.map(|edge| classes[edge]);
        let (mut admitted, mut rules) = (IdVec::default(), IdVec::default());
        for (context, &number) in classes.pairs() {
            if number == rules.end() {
                rules.push(self.rules[context]);
                let edges = |one: &Admitted| Admitted { edges: one.edges.map(class), ..*one };
                admitted.push(self.admitted[context].iter().map(edges).collect());
            }
        }
        self.fresh.iter_mut().for_each(|fresh| *fresh = class(*fresh));
        (self.admitted, self.rules) = (admitted, rules);
    }
}

impl<C: Fn(RuleId) -> bool> Finder<'_, C> {
    /// The number of a context, which is looked at later if it is new.
    fn number(&mut self, rule: RuleId, part: Part, around: Vec<Around>) -> ContextId {
        let next = self.queue.end();
        let context = Context { rule, part, around };
        *self.numbers.entry(context).or_insert_with_key(|context| {
            self.queue.push(context.clone());
            next
        })
    }

    fn leads(&mut self, rule: RuleId, to: RuleId) -> bool {
        self.links.reached(self.table, rule).contains(&to)
    }

    fn find_leading(&mut self) {
        let table = self.table;
        let mut owners: [FxHashMap<RuleId, Vec<RuleId>>; 2] = Default::default();
        for alternative in (0..table.alternative_count()).map(AlternativeId::at) {
            let items = table.items(alternative);
            for (side, item) in [items.first(), items.last()].into_iter().enumerate() {
                if let Some(rule) = item.and_then(|&item| table.rule_behind(item)) {
                    owners[side].entry(rule).or_default().push(table.rule_of(alternative));
                }
            }
        }
        for &family in &self.families {
            let leading = owners.each_ref().map(|owners| {
                let mut found: FxHashSet<RuleId> = [family].into_iter().collect();
                let mut queue = vec![family];
                while let Some(rule) = queue.pop() {
                    let owners = owners.get(&rule).into_iter().flatten().copied();
                    queue.extend(owners.filter(|&owner| found.insert(owner)));
                }
                found
            });
            self.leading.insert(family, leading);
        }
    }

    /// Whether a rule derives by single symbols anything but what a family that it leads to does.
    fn has_others(&mut self, family: RuleId, rule: RuleId) -> bool {
        if let Some(&known) = self.others.get(&(family, rule)) {
            return known;
        }
        let mut seen: FxHashSet<RuleId> = [rule].into_iter().collect();
        let mut queue = vec![rule];
        let mut found = false;
        while let Some(rule) = queue.pop() {
            for alternative in self.table.all_alternatives(rule) {
                let target = match *self.table.items(alternative) {
                    [only] => self.table.rule_behind(only),
                    _ => None,
                };
                match target {
                    Some(target) if self.leads(family, target) => {}
                    Some(target) if self.leads(target, family) => {
                        if seen.insert(target) {
                            queue.push(target);
                        }
                    }
                    _ => found = true,
                }
            }
        }
        self.others.insert((family, rule), found);
        found
    }

    /// What of a context matters to a rule in it.
    fn matters(&self, rule: RuleId, around: &[Around]) -> Vec<Around> {
        if (self.is_cyclic)(rule) {
            return Vec::new();
        }
        let mut around = around.to_vec();
        around.retain_mut(|one| {
            for (side, leading) in self.leading[&one.family].iter().enumerate() {
                if !leading.contains(&rule) {
                    one.sides[side] = None;
                }
            }
            let leads = self.leading[&one.family].iter().any(|leading| leading.contains(&rule));
            one.is_place &= leads;
            one.is_place || one.sides != [None; 2]
        });
        around
    }

    /// The context of all of a rule; none where nothing is asked of it.
    fn all(&mut self, rule: RuleId, around: &[Around]) -> Option<ContextId> {
        let mut around = self.matters(rule, around);
        if around.is_empty() {
            return None;
        }
        if self.families.contains(&rule) {
            let place = around.partition_point(|one| one.family < rule);
            match around.get_mut(place).filter(|one| one.family == rule) {
                Some(own) => own.is_place = true,
                None => {
                    let own = Around { family: rule, sides: [None; 2], is_place: true };
                    around.insert(place, own);
                }
            }
        }
        Some(self.number(rule, Part::All, around))
    }

    /// What a context admits.
    fn admitted(&mut self, context: &Context) -> Vec<Admitted> {
        let mut admitted = Vec::new();
        for alternative in self.table.all_alternatives(context.rule) {
            match *self.table.items(alternative) {
                [only] => {
                    let target = self.table.rule_behind(only);
                    if let Some(edge) = self.single(context, target) {
                        admitted.push(Admitted { alternative, edges: [edge, None] });
                    }
                }
                _ if matches!(context.part, Part::Only(_)) => {}
                _ => self.several(context, alternative, &mut admitted),
            }
        }
        admitted
    }

    /// The context of the only item of an alternative, if it has one; none where it is not admitted.
    fn single(&mut self, context: &Context, target: Option<RuleId>) -> Option<Option<ContextId>> {
        let Context { part, around, .. } = context;
        match (*part, target) {
            (Part::Only(_), None) => None,
            (_, None) => Some(None),
            (Part::All, Some(rule)) => Some(self.all(rule, around)),
            (Part::Only(family), Some(rule)) => match self.leads(rule, family) {
                true => Some(Some(self.only(rule, family, around.clone()))),
                false => self.leads(family, rule).then(|| self.all(rule, around)),
            },
            (Part::Without(family), Some(rule)) => match self.leads(rule, family) {
                true => self.without(rule, family, around).map(Some),
                false => (!self.leads(family, rule)).then(|| self.all(rule, around)),
            },
        }
    }

    /// The context of a rule that is to be what a family may be.
    fn only(&mut self, rule: RuleId, family: RuleId, around: Vec<Around>) -> ContextId {
        let part = if rule == family { Part::All } else { Part::Only(family) };
        self.number(rule, part, around)
    }

    /// The context of a rule that is to be anything else; none where it is nothing else.
    fn without(&mut self, rule: RuleId, family: RuleId, around: &[Around]) -> Option<ContextId> {
        if rule == family || !self.has_others(family, rule) {
            return None;
        }
        let around = self.matters(rule, around);
        Some(self.number(rule, Part::Without(family), around))
    }

    /// The ways to admit an alternative that is not one item.
    fn several(
        &mut self,
        context: &Context,
        alternative: AlternativeId,
        admitted: &mut Vec<Admitted>,
    ) {
        let Some(ends) = ends(self.table, alternative) else {
            admitted.push(Admitted { alternative, edges: [None; 2] });
            return;
        };
        let own = self.table.binding(alternative);
        let mut ways: [Vec<Option<ContextId>>; 2] = Default::default();
        for (side, item) in ends.into_iter().enumerate() {
            let Some(rule) = self.table.rule_behind(item) else {
                ways[side].push(None);
                continue;
            };
            // What stands beside the whole stands beside its end.
            let mut beside = context.around.clone();
            for one in &mut beside {
                one.sides[1 - side] = None;
                one.is_place = false;
            }
            let Some(Around { family, sides, is_place }) = self.family(context, rule) else {
                ways[side].push(self.all(rule, &beside));
                continue;
            };
            if fits(side, sides[side], own) {
                let mut inner = [None; 2];
                inner[side] = sides[side];
                inner[1 - side] = own.filter(|_| is_place);
                let inner = Around { family, sides: inner, is_place: true };
                ways[side].push(Some(self.only(rule, family, vec![inner])));
            }
            ways[side].extend(self.without(rule, family, &beside).map(Some));
        }
        for &first in &ways[0] {
            for &last in &ways[1] {
                admitted.push(Admitted { alternative, edges: [first, last] });
            }
        }
    }

    /// The family around that a rule is by single symbols: of several the outermost.
    fn family(&mut self, context: &Context, rule: RuleId) -> Option<Around> {
        let mut found: Option<Around> = None;
        for &one in &context.around {
            if self.leads(rule, one.family)
                && found.is_none_or(|known| self.leads(one.family, known.family))
            {
                found = Some(one);
            }
        }
        found
    }
}
