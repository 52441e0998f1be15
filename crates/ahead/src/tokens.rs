//! What the macro is called with.

use std::path::{Path, PathBuf};
use std::{fs, iter};

use litrs::StringLit;
use proc_macro::token_stream::IntoIter;
use proc_macro::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};

/// What is wrong, and where that is written.
pub(crate) struct Fault {
    span: Span,
    message: String,
}

impl Fault {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into() }
    }

    /// An error of the compiler at that place.
    pub(crate) fn into_tokens(self) -> TokenStream {
        let message = TokenTree::from(Literal::string(self.message.trim_end()));
        let tokens: TokenStream = "::core::compile_error!".parse().expect("it is Rust");
        let argument = Group::new(Delimiter::Parenthesis, message.into());
        let tokens = tokens.into_iter().chain([TokenTree::from(argument)]);
        tokens
            .map(|mut token| {
                token.set_span(self.span);
                token
            })
            .collect()
    }
}

/// A file of a grammar.
pub(crate) struct File {
    /// As it is written.
    name: String,
    /// The folder of the file that it is written in, from the root.
    folder: PathBuf,
    /// Where it is, from the root.
    pub(crate) path: String,
    span: Span,
}

/// The files and the options.
pub(crate) struct Invocation {
    pub(crate) files: Vec<File>,
    pub(crate) start: Option<String>,
    /// The group behind them, where there is one: rules, and for each a regex of what is taken for it.
    #[cfg(feature = "differential")]
    pub(crate) more: Option<TokenStream>,
}

impl Invocation {
    pub(crate) fn new(input: TokenStream) -> Result<Self, Fault> {
        let mut groups = input.into_iter();
        let mut bracketed = || match groups.next() {
            Some(TokenTree::Group(group)) => Ok(group.stream().into_iter()),
            _ => Err(Fault::new(Span::call_site(), "expected `[FILES] [OPTIONS]`")),
        };
        let (files, options) = (bracketed()?, bracketed()?);
        #[cfg(feature = "differential")]
        let more = bracketed().ok().map(TokenStream::from_iter);
        let files = files.filter(|token| !matches!(token, TokenTree::Punct(_)));
        let files = files.map(File::new).collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            files,
            start: start(options)?,
            #[cfg(feature = "differential")]
            more,
        })
    }

    /// The names and texts of the files.
    pub(crate) fn read(&self) -> Result<Vec<(String, String)>, Fault> {
        let read = |file: &File| {
            let text = fs::read_to_string(&file.path).map_err(|error| {
                Fault::new(file.span, format!("cannot read the grammar {}: {error}", file.path))
            })?;
            Ok((file.name.clone(), text))
        };
        self.files.iter().map(read).collect()
    }

    /// The folder that the names of files are relative to.
    pub(crate) fn folder(&self) -> &Path {
        self.files.first().map_or(Path::new(""), |file| &file.folder)
    }

    /// Where the grammar is named.
    pub(crate) fn span(&self) -> Span {
        self.files.first().map_or_else(Span::call_site, |file| file.span)
    }
}

impl File {
    fn new(token: TokenTree) -> Result<Self, Fault> {
        let span = token.span();
        let (name, span) = string(token)
            .ok_or_else(|| Fault::new(span, "a grammar's file is a string literal"))?;
        let folder = span.local_file().and_then(|file| Some(file.parent()?.to_owned()));
        let folder = folder.ok_or_else(|| {
            Fault::new(
                span,
                "the file that names the grammar is not known: name it in a file of the crate",
            )
        })?;
        // A file of the folder that the compiler runs in has none in its path.
        let folder = std::path::absolute(Path::new(".").join(folder)).ok();
        let path = folder.as_ref().and_then(|folder| Some(folder.join(&name).to_str()?.to_owned()));
        let (Some(folder), Some(path)) = (folder, path) else {
            return Err(Fault::new(span, "the path of the grammar is not UTF-8"));
        };
        Ok(Self { name, folder, path, span })
    }
}

/// The value of the option `start`, the last where there are several.
fn start(mut options: IntoIter) -> Result<Option<String>, Fault> {
    let mut found = None;
    while let Some(token) = options.next() {
        let is_start = matches!(&token, TokenTree::Ident(name) if name.to_string() == "start");
        let value = options.nth(1);
        if let Some(value) = value.filter(|_| is_start) {
            let span = value.span();
            let (start, _) = string(value).ok_or_else(|| {
                let message = "the grammar is compiled with the target: write the start rule as a string literal";
                Fault::new(span, message)
            })?;
            found = Some(start);
        }
        // Values are fragments of one token, and a comma follows.
        options.next();
    }
    Ok(found)
}

/// The text and the place of a string literal, which may be a fragment of another macro.
pub(crate) fn string(token: TokenTree) -> Option<(String, Span)> {
    let token = unwrapped(token);
    let TokenTree::Literal(literal) = token else { return None };
    let span = literal.span();
    let text = StringLit::try_from(literal).ok()?.into_value();
    Some((text, span))
}

/// A token that may be a fragment of another macro, without what says so.
pub(crate) fn unwrapped(token: TokenTree) -> TokenTree {
    let unwrap = |token: &TokenTree| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            group.stream().into_iter().next()
        }
        _ => None,
    };
    let found = iter::successors(Some(token.clone()), unwrap).last();
    found.unwrap_or(token)
}
