//! A command with one fault, which no part of its input shows alone: requests on standard input are counted against
//! the limit that a file gives the section that an option names, and at the limit what is left is divided by.

use std::collections::BTreeMap;

/// What the command prints: for each request that is within the limit the share that is left.
pub fn run<'a>(
    arguments: impl Iterator<Item = &'a [u8]>,
    settings: Option<&[u8]>,
    requests: &[u8],
) -> Result<Vec<u64>, String> {
    let (mut name, mut is_strict) = (None, false);
    for argument in arguments {
        let argument = std::str::from_utf8(argument).map_err(|error| error.to_string())?;
        match argument.split_once('=') {
            Some(("--section", section)) => name = Some(section),
            None if argument == "--strict" => is_strict = true,
            None if argument == "--verbose" => {}
            _ => return Err(format!("unknown option {argument}")),
        }
    }
    let name = name.ok_or("--section=NAME is needed")?;
    let settings = settings.ok_or("limits.ini is needed")?;
    let settings = std::str::from_utf8(settings).map_err(|error| error.to_string())?;
    let sections = sections(settings)?;
    let section = sections.get(name).ok_or_else(|| format!("no section {name}"))?;
    let limit = *section.get("limit").ok_or_else(|| format!("no limit in {name}"))?;
    let mut used = 0_u64;
    let mut shares = Vec::new();
    for line in std::str::from_utf8(requests).map_err(|error| error.to_string())?.lines() {
        let (who, count) = line.split_once(' ').ok_or("a request is a name and a number")?;
        if who != name {
            continue;
        }
        used = used.saturating_add(number(count)?);
        if is_strict {
            let left = limit.checked_sub(used).ok_or("over the limit")?;
            shares.push(limit / left);
        }
    }
    Ok(shares)
}

fn sections(text: &str) -> Result<BTreeMap<&str, BTreeMap<&str, u64>>, String> {
    let mut sections = BTreeMap::<_, BTreeMap<_, _>>::new();
    let mut current = None;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            current = Some(sections.entry(name).or_default());
            continue;
        }
        let (key, value) = line.split_once('=').ok_or("a setting is a name and a number")?;
        current.as_mut().ok_or("a setting before any section")?.insert(key, number(value)?);
    }
    Ok(sections)
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("{text} is no number"))
}
