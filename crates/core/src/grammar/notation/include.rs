//! Grammars made of several files.
//!
//! The library reads no files: a [`Resolver`] that the caller supplies finds the text that a path
//! names. Each file is parsed once; an *instance* is a file under one prefix, and a list of
//! instances grows while it is worked through, so no depth of includes recurses.

use std::collections::{BTreeMap, HashMap};

use super::read::{self, Unit};
use crate::grammar::{
    Diagnostic, Encoding, Expr, ExprId, Grammar, GrammarError, Name, Rule, SourceFile, Span,
};

/// How deep includes may nest.
const MAX_DEPTH: usize = 64;
/// How many files, counted once for each prefix, a grammar may include.
const MAX_INSTANCES: usize = 1000;
/// Mistakes that are reported together.
const MAX_FOUND: usize = 100;

/// Finds the text of an included grammar.
pub trait Resolver {
    /// The file that `path` names in an `%include` of the file named `including`.
    ///
    /// The name of what is returned tells files apart: an include of a name seen before reads
    /// nothing again.
    ///
    /// # Errors
    ///
    /// Why there is no such text, in words for the person who wrote the include.
    fn resolve(&self, including: &str, path: &str) -> Result<SourceFile, String>;
}

/// The resolver that refuses every include, for texts that stand alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoIncludes;

impl Resolver for NoIncludes {
    fn resolve(&self, _: &str, _: &str) -> Result<SourceFile, String> {
        Err("no other files are at hand here (`Grammar::read` takes a resolver for them)".into())
    }
}

/// The resolver that finds includes among texts in memory, by name.
///
/// A path is relative to the folder of the including file; `.` and `..` are resolved, and a path
/// that begins with `/` stands alone.
///
/// # Examples
///
/// ```
/// use pleach::grammar::{Files, Grammar};
///
/// let files = Files::new([("net/ip.pleach", "ip = /[0-9.]+/ ;")]);
/// let uri = "%include \"ip.pleach\" as net; uri = \"//\" net.ip ;";
/// let grammar = Grammar::read("net/uri.pleach", uri, &files).unwrap();
/// assert_eq!(grammar.rules[1].name.text, "net.ip");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Files {
    texts: BTreeMap<String, String>,
}

impl Files {
    /// The files of some pairs of name and text.
    pub fn new<N: AsRef<str>, T: Into<String>>(files: impl IntoIterator<Item = (N, T)>) -> Self {
        let normal = |(name, text): (N, T)| (normalised(name.as_ref()), text.into());
        Self { texts: files.into_iter().map(normal).collect() }
    }
}

impl Resolver for Files {
    fn resolve(&self, including: &str, path: &str) -> Result<SourceFile, String> {
        let name = resolved(including, path);
        match self.texts.get(&name) {
            Some(text) => Ok(SourceFile::new(name, text)),
            None => Err(format!("there is no file `{name}`")),
        }
    }
}

/// The name of the file that `path` is from the folder of the including one.
pub fn resolved(including: &str, path: &str) -> String {
    let folder = including.rfind('/').map_or("", |slash| &including[..=slash]);
    if path.starts_with('/') { normalised(path) } else { normalised(&format!("{folder}{path}")) }
}

/// A path without `.` and, where a folder stands before them, without `..`.
fn normalised(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." if parts.last().is_some_and(|&last| last != "..") => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

/// Reads a grammar and all it includes.
pub(super) fn read(
    name: &str,
    text: &str,
    resolver: &dyn Resolver,
) -> Result<Grammar, GrammarError> {
    let mut linker = Linker::default();
    let main = linker.file(SourceFile::new(name, text));
    linker.instances.push(Instance { file: main, ..Instance::default() });
    linker.bytes = text.len() as u64;
    let mut next = 0;
    while next < linker.instances.len() && linker.found.len() < MAX_FOUND {
        linker.follow(next, resolver);
        next += 1;
    }
    linker.check_cycles();
    linker.check_layouts();
    if linker.found.is_empty() {
        Ok(linker.link())
    } else {
        Err(GrammarError::new(linker.files, linker.found))
    }
}

/// A file under a prefix.
#[derive(Clone, Debug, Default)]
struct Instance {
    file: usize,
    /// What its names begin with: empty, or ending in a dot.
    prefix: String,
    /// The instance that included it first.
    parent: Option<usize>,
    /// How many includes led to it.
    depth: usize,
}

/// One include that was followed.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: usize,
    to: usize,
    span: Span,
}

#[derive(Debug, Default)]
struct Linker {
    files: Vec<SourceFile>,
    /// What each file says; empty where it has mistakes.
    units: Vec<Unit>,
    by_name: HashMap<String, usize>,
    instances: Vec<Instance>,
    by_prefix: HashMap<(usize, String), usize>,
    /// Between instances.
    edges: Vec<Edge>,
    /// Between files.
    file_edges: Vec<Edge>,
    /// The length of all instances' texts.
    bytes: u64,
    found: Vec<Diagnostic>,
}

impl Linker {
    /// The index of a file, which is read where its name is new.
    fn file(&mut self, file: SourceFile) -> usize {
        if let Some(&known) = self.by_name.get(&file.name) {
            return known;
        }
        let index = self.files.len();
        // There are fewer files than instances, whose number has a limit.
        let unit = read::read(&file.text, index as u32).unwrap_or_else(|mut found| {
            if file.hidden {
                found = found.into_iter().take(1).map(Diagnostic::unquoted).collect();
            }
            self.found.append(&mut found);
            Unit::default()
        });
        self.units.push(unit);
        self.by_name.insert(file.name.clone(), index);
        self.files.push(file);
        index
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        // A file under two prefixes would repeat its own.
        if self.found.len() < MAX_FOUND && !self.found.contains(&diagnostic) {
            self.found.push(diagnostic);
        }
    }

    /// Resolves the includes of an instance, and makes instances of what is new.
    fn follow(&mut self, from: usize, resolver: &dyn Resolver) {
        let including = self.instances[from].file;
        let includes = std::mem::take(&mut self.units[including].includes);
        for include in &includes {
            if self.found.len() >= MAX_FOUND {
                break;
            }
            let span = include.span;
            let file = match resolver.resolve(&self.files[including].name, &include.path) {
                Ok(file) => self.file(file),
                Err(reason) => {
                    let message = format!("cannot include `{}`: {reason}", include.path);
                    self.report(Diagnostic::error(span, message).help("check the path"));
                    continue;
                }
            };
            self.file_edges.push(Edge { from: including, to: file, span });
            self.check_encoding(including, file, span);
            let mut prefix = self.instances[from].prefix.clone();
            if let Some(name) = &include.prefix {
                prefix.push_str(name);
                prefix.push('.');
            }
            if self.leads_to(from, file) {
                // A cycle, which is reported when all includes are known.
                continue;
            }
            if let Some(&to) = self.by_prefix.get(&(file, prefix.clone())) {
                self.edges.push(Edge { from, to, span });
                continue;
            }
            let depth = self.instances[from].depth + 1;
            self.bytes += self.files[file].text.len() as u64;
            let limit = if depth > MAX_DEPTH {
                format!("includes nest deeper than {MAX_DEPTH}")
            } else if self.instances.len() > MAX_INSTANCES {
                format!("more than {MAX_INSTANCES} includes")
            } else if self.bytes > u64::from(u32::MAX) {
                "the included texts are longer than 4 GiB".to_string()
            } else {
                let to = self.instances.len();
                self.by_prefix.insert((file, prefix.clone()), to);
                self.instances.push(Instance { file, prefix, parent: Some(from), depth });
                self.edges.push(Edge { from, to, span });
                continue;
            };
            self.report(Diagnostic::error(span, limit).help("put the rules into fewer files"));
            break;
        }
        self.units[including].includes = includes;
    }

    /// Whether an instance is, or was included by way of, a file.
    fn leads_to(&self, from: usize, file: usize) -> bool {
        let mut at = Some(from);
        while let Some(index) = at {
            if self.instances[index].file == file {
                return true;
            }
            at = self.instances[index].parent;
        }
        false
    }

    fn check_encoding(&mut self, including: usize, included: usize, span: Span) {
        let word = |encoding| match encoding {
            Encoding::Unicode => "unicode",
            Encoding::Bytes => "bytes",
        };
        let ours = self.units[including].grammar.encoding;
        let theirs = self.units[included].grammar.encoding;
        let broken = |file: usize| self.found.iter().any(|found| found.span.file as usize == file);
        if ours != theirs && !broken(included) && !broken(including) {
            let name = &self.files[included].name;
            let (ours, theirs) = (word(ours), word(theirs));
            let message = format!("`{name}` is in {theirs}, and this grammar in {ours}");
            let help = format!("both need the same `%encoding {theirs};` or `%encoding {ours};`");
            self.report(Diagnostic::error(span, message).help(help));
        }
    }

    /// Names the files of an include cycle.
    fn check_cycles(&mut self) {
        // Files whose includes are all free of cycles are taken away until none is left.
        let mut includes = vec![0usize; self.files.len()];
        let mut included_by = vec![Vec::new(); self.files.len()];
        for edge in &self.file_edges {
            includes[edge.from] += 1;
            included_by[edge.to].push(edge.from);
        }
        let mut free: Vec<usize> =
            (0..includes.len()).filter(|&file| includes[file] == 0).collect();
        while let Some(file) = free.pop() {
            for &from in &included_by[file] {
                includes[from] -= 1;
                if includes[from] == 0 {
                    free.push(from);
                }
            }
        }
        // Each file that is left includes one that is left.
        let Some(first) = (0..includes.len()).find(|&file| includes[file] > 0) else {
            return;
        };
        let mut onward: HashMap<usize, Edge> = HashMap::new();
        for edge in self.file_edges.iter().filter(|edge| includes[edge.to] > 0) {
            onward.entry(edge.from).or_insert(*edge);
        }
        let mut walk: Vec<Edge> = Vec::new();
        let mut at = first;
        let cycle = loop {
            if let Some(begin) = walk.iter().position(|edge| edge.from == at) {
                break &walk[begin..];
            }
            let Some(&edge) = onward.get(&at) else { return };
            walk.push(edge);
            at = edge.to;
        };
        let mut names: Vec<&str> =
            cycle.iter().map(|edge| self.files[edge.from].name.as_str()).collect();
        names.push(&self.files[at].name);
        let message = format!("files include each other: {}", names.join(" -> "));
        // The include that closes the cycle is the one to take away.
        let span = cycle.last().map_or(Span::default(), |edge| edge.span);
        let help = "move the rules that they share into a file that both include";
        self.report(Diagnostic::error(span, message).help(help));
    }

    /// The layout of an instance, by its full name.
    fn layout(&self, instance: usize) -> Option<String> {
        let Instance { file, prefix, .. } = &self.instances[instance];
        let layout = self.units[*file].grammar.layout.as_ref()?;
        Some(format!("{prefix}{}", layout.text))
    }

    fn check_layouts(&mut self) {
        for index in 0..self.edges.len() {
            let Edge { from, to, span } = self.edges[index];
            let Some(theirs) = self.layout(to) else { continue };
            let message = match self.layout(from) {
                Some(ours) if ours == theirs => continue,
                Some(ours) => {
                    format!("the included grammar has the layout `{theirs}`, and this one `{ours}`")
                }
                None => format!(
                    "the included grammar has the layout `{theirs}`, and this one names none"
                ),
            };
            let name = theirs.strip_prefix(&self.instances[from].prefix).unwrap_or(&theirs);
            let help = format!("write `%layout {name};` in this grammar");
            self.report(Diagnostic::error(span, message).help(help));
        }
    }

    /// Joins the rules of all instances: the main file's first, so that its first rule is first.
    fn link(mut self) -> Grammar {
        let mut grammar = std::mem::take(&mut self.units[self.instances[0].file].grammar);
        for instance in &self.instances[1..] {
            let unit = &self.units[instance.file].grammar;
            let name = |name: &Name| Name {
                text: format!("{}{}", instance.prefix, name.text),
                span: name.span,
            };
            if grammar.layout.is_some() && unit.layout.is_none() {
                grammar.lexical.extend(unit.rules.iter().map(|rule| name(&rule.name)));
            } else {
                grammar.lexical.extend(unit.lexical.iter().map(name));
            }
            // The length of the texts has a limit, and each expression takes a byte of them; only
            // the empty sequence takes none, and the sign that ends it does.
            let shift = grammar.exprs.len() as u32;
            grammar.rules.extend(unit.rules.iter().map(|rule| Rule {
                name: name(&rule.name),
                docs: rule.docs.clone(),
                body: ExprId(rule.body.0 + shift),
            }));
            grammar.spans.extend_from_slice(&unit.spans);
            grammar
                .exprs
                .extend(unit.exprs.iter().map(|expr| moved(expr, shift, &instance.prefix)));
        }
        grammar.files = self.files;
        grammar
    }
}

/// An expression in an arena where its fellows stand `shift` later and names have a prefix.
fn moved(expr: &Expr, shift: u32, prefix: &str) -> Expr {
    let mut expr = expr.clone();
    if let Expr::Reference(name) = &mut expr {
        name.insert_str(0, prefix);
    }
    expr.map_children(|id| ExprId(id.0 + shift));
    expr
}
