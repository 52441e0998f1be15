//! Nodes that may derive themselves over their own text: the best tree without that.

use fxhash::FxHashSet;

use super::chart::{Chart, Source};
use super::compiled::{Kind, Production};
use super::error::Error;
use super::extract::Extraction;
use super::graph::Ways;
use super::id::{ChainId, NodeId};
use super::task::Child;

impl Extraction {
    /// As [`Extraction::expand`], of a node that may derive itself: no node of the chain stands
    /// below.
    pub(super) fn expand_cyclic(
        &mut self,
        source: &Source<'_>,
        chart: &mut Chart,
        node: NodeId,
        chain: ChainId,
    ) -> Result<u32, Error> {
        let mut forbidden: FxHashSet<NodeId> = self.above.chain(chain).collect();
        forbidden.insert(node);
        let mut component = vec![node];
        let mut next = 0;
        while let Some(&member) = component.get(next) {
            next += 1;
            chart.settle(source, member)?;
            for production in self.productions(source, chart, member) {
                for ways in self.ways(source, chart, member) {
                    self.gather_for(source, chart, member, production, ways)?;
                    self.graph.build(source, chart, member, ways, &self.ends, None)?;
                    for edge in &self.graph.edges {
                        if let Child::Node(child) = edge.child
                            && source.same_text(chart, child, node)
                            && !forbidden.contains(&child)
                            && !component.contains(&child)
                        {
                            component.push(child);
                        }
                    }
                }
            }
        }
        let mut allowed = FxHashSet::default();
        let mut changed = true;
        while changed {
            changed = false;
            for &member in &component[1..] {
                if allowed.contains(&member) {
                    continue;
                }
                for production in self.productions(source, chart, member) {
                    if self.best(source, chart, member, production, Some(&allowed))?.is_some() {
                        allowed.insert(member);
                        changed = true;
                        break;
                    }
                }
            }
        }
        for production in self.productions(source, chart, node) {
            if let Some(choice) = self.best(source, chart, node, production, Some(&allowed))? {
                let same = |child: NodeId| source.same_text(chart, child, node);
                self.commit(source, node, chain, same)?;
                return Ok(choice);
            }
        }
        unreachable!("a derivation without repetition is shorter than one with it")
    }

    fn ways(&self, source: &Source<'_>, chart: &Chart, node: NodeId) -> &'static [Ways] {
        let symbol = source.symbol(chart, node);
        match source.work.grammar.nonterminals[symbol].kind {
            Kind::Repetition(_) => &[Ways::Filled, Ways::Least],
            _ => &[Ways::Sequence],
        }
    }

    fn gather_for(
        &mut self,
        source: &Source<'_>,
        chart: &Chart,
        node: NodeId,
        production: Production,
        ways: &Ways,
    ) -> Result<(), Error> {
        match ways {
            Ways::Filled => self.gather(source, chart, node, |_| true),
            _ => self.gather(source, chart, node, |found| found == production),
        }
    }
}
