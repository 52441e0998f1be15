//! A bar on standard error, for long work that a person watches.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Work that takes less is not worth a bar.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the bar is drawn anew.
const INTERVAL: Duration = Duration::from_millis(100);

/// How far some work is.
pub(crate) struct Progress {
    watched: bool,
    next: Instant,
    unit: &'static str,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// No bar yet; `unit` is what is counted.
    pub(crate) fn new(unit: &'static str) -> Self {
        let watched = std::io::stderr().is_terminal();
        Self { watched, next: Instant::now() + PATIENCE, unit, bar: None }
    }

    /// Shows how far the work is, if it is time to; `state` gives what is done and what is to do.
    pub(crate) fn tick(&mut self, state: impl FnOnce() -> (u64, u64)) {
        if !self.watched || Instant::now() < self.next {
            return;
        }
        self.next = Instant::now() + INTERVAL;
        let (done, all) = state();
        let unit = self.unit;
        let bar = self.bar.get_or_insert_with(|| {
            let template =
                format!("{{bar:40}} {{human_pos}} of {{human_len}} {unit}, {{eta}} left");
            // The template is a constant; were it bad, the default would do.
            let style = ProgressStyle::with_template(&template);
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(all).with_style(style).with_elapsed(PATIENCE)
        });
        bar.set_length(all);
        bar.set_position(done);
    }
}

/// What some work has come to, where it cannot be said how far it is.
pub(crate) struct Status {
    spinner: Option<ProgressBar>,
    next: Instant,
}

impl Status {
    /// Shown if a person watches.
    pub(crate) fn new() -> Self {
        let watched = std::io::stderr().is_terminal();
        Self { spinner: watched.then(ProgressBar::new_spinner), next: Instant::now() + INTERVAL }
    }

    /// Shows a line, if it is time to.
    pub(crate) fn tick(&mut self, line: impl FnOnce() -> String) {
        let Some(spinner) = self.spinner.as_ref().filter(|_| Instant::now() >= self.next) else {
            return;
        };
        self.next = Instant::now() + INTERVAL;
        spinner.set_message(line());
        spinner.tick();
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        if let Some(spinner) = &self.spinner {
            spinner.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
