//! `pleach man`: the manual page.

use clap::{Args, CommandFactory};

use crate::Cli;
use crate::failure::{Failure, print};

/// Prints a manual page in roff
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  pleach man > pleach.1
  pleach man generate | man -l -")]
pub(crate) struct Man {
    /// The command that the page is about; without one, pleach as a whole
    command: Option<String>,
}

impl Man {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut cli = Cli::command();
        // Gives each subcommand its full name.
        cli.build();
        let command = match &self.command {
            None => cli,
            Some(name) => {
                let found = cli.find_subcommand(name).cloned();
                let command = found.ok_or_else(|| {
                    let known: Vec<_> =
                        cli.get_subcommands().map(clap::Command::get_name).collect();
                    Failure::Input(format!(
                        "error: there is no command `{name}`; there are {}",
                        known.join(", ")
                    ))
                })?;
                let name: &'static str = format!("pleach-{name}").leak();
                command.name(name)
            }
        };
        let mut page = Vec::new();
        clap_mangen::Man::new(command)
            .render(&mut page)
            .map_err(|error| Failure::Input(format!("error: the page: {error}")))?;
        print(&page)
    }
}
