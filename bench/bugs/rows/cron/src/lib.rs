//! A schedule is read.

/// Reads one input.
pub fn run(text: &str) {
    let _ = text.parse::<cron::Schedule>();
}
