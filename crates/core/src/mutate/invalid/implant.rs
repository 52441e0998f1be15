//! Injection: a text of the caller's stands where a rule's did.

use super::write;
use crate::mutate::Mutator;
use crate::mutate::work::Work;
use crate::tree::width;

/// Puts one of the caller's texts in the place of what a rule derives.
pub(in crate::mutate) struct Implant;

const TRIES: usize = 4;

impl Mutator for Implant {
    #[pleach_unhooked::unhooked]
    fn mutate(&self, work: &mut Work<'_, '_>) -> bool {
        let implants = work.implants;
        if implants.is_empty() {
            return false;
        }
        (0..TRIES).any(|_| {
            let (rule, texts) = &implants[work.random.index(implants.len())];
            let start = work.random.index(work.base.end(0));
            let found = work.capabilities.find_rule(work.base, start, rule.get(), |_| true);
            let Some(node) = found else { return false };
            let from = work.base.offset(node);
            let to = from + width(&work.base.nodes[node..work.base.end(node)]);
            let text = &texts[work.random.index(texts.len())];
            work.base.text[from..to] != **text && write(work, (from, to), &[text])
        })
    }
}
