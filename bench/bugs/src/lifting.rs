//! What became of what a campaign has lifted, as it is kept in records and summed up in tables.

use pleach_bridge::campaign::{Campaign, Causes, Lifted, Outcomes};
use pleach_bridge::lift::Way;
use serde::{Deserialize, Serialize};

/// What a campaign has lifted, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lifting {
    /// Edges in the machine.
    pub edges: u64,
    /// Those that inputs took first that were lifted.
    pub edges_lifted: u64,
    /// Runs of units.
    pub unit_runs: u64,
    /// Runs of the program in the machine.
    pub runs: u64,
    /// Inputs that were lifted with the caller's path, and those that did what was predicted or something else that is new.
    pub prefix: (u64, u64),
    /// The same of the unit alone.
    pub alone: (u64, u64),
    /// How calls came: not, with the new values, with the old ones, with others.
    pub outcomes: [u64; 4],
    /// Why nothing came of findings: no such input, other values, another context, the machine alone.
    pub causes: [u64; 4],
}

impl Lifting {
    /// That of a campaign so far.
    pub fn of(campaign: &Campaign) -> Self {
        let counts = campaign.counts();
        let (mut prefix, mut alone) = ((0, 0), (0, 0));
        for (way, Lifted { inputs, predicted, other, .. }) in campaign.ways() {
            let kind = match way {
                Way::Context | Way::Prefix => &mut prefix,
                Way::Local | Way::Alone | Way::Decimal => &mut alone,
            };
            add(kind, (inputs, predicted + other));
        }
        let Outcomes { never, new, old, another } = counts.outcomes;
        let Causes { unliftable, mapping, context, nondeterminism, .. } = counts.causes;
        Self {
            edges: counts.edges,
            edges_lifted: counts.edges_lifted,
            unit_runs: counts.unit_runs,
            runs: counts.runs,
            prefix,
            alone,
            outcomes: [never, new, old, another],
            causes: [unliftable, mapping, context, nondeterminism],
        }
    }

    /// Adds those of another campaign.
    pub fn add(&mut self, other: &Self) {
        self.edges += other.edges;
        self.edges_lifted += other.edges_lifted;
        self.unit_runs += other.unit_runs;
        self.runs += other.runs;
        add(&mut self.prefix, other.prefix);
        add(&mut self.alone, other.alone);
        for (all, own) in self.outcomes.iter_mut().zip(other.outcomes) {
            *all += own;
        }
        for (all, own) in self.causes.iter_mut().zip(other.causes) {
            *all += own;
        }
    }
}

fn add(all: &mut (u64, u64), own: (u64, u64)) {
    *all = (all.0 + own.0, all.1 + own.1);
}

/// How many of how many, and which part that is.
pub fn share((all, some): (u64, u64)) -> String {
    match all {
        0 => "0".to_owned(),
        _ => format!("{all}, {some} ({:.1} %)", 100.0 * some as f64 / all as f64),
    }
}
