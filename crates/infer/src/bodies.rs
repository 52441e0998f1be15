//! What is between the brackets of macro calls.

use proc_macro2::TokenStream;
use syn::punctuated::Punctuated;
use syn::{Expr, Pat, Token};

use super::visit::{Visit, Walk};

/// What is between the brackets of a macro call.
pub(super) enum MacroBody {
    /// `matches!`
    Matches(Box<Expr>, Box<Pat>, Option<Box<Expr>>),
    /// Expressions between commas.
    Exprs(Vec<Expr>),
    /// An expression, and how often.
    Repeat(Box<Expr>, Box<Expr>),
    Opaque,
}

/// The bodies of macro calls, by the address of the call.
pub(super) struct Macros {
    pub(super) bodies: Vec<(usize, Box<MacroBody>)>,
}

/// A node's address, as its name.
pub(super) fn address<T>(node: &T) -> usize {
    std::ptr::from_ref(node) as usize
}

struct Calls(Vec<(usize, String, TokenStream)>);

impl<'ast> Visit<'ast> for Calls {
    fn walk(&mut self) -> Walk<'_, 'ast> {
        Walk(self)
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let name =
            call.path.segments.last().map_or_else(String::new, |last| last.ident.to_string());
        self.0.push((address(call), name, call.tokens.clone()));
    }
}

impl Macros {
    /// Reads the bodies of all macro calls, and of those in them.
    pub(super) fn read<'f>(files: impl Iterator<Item = &'f syn::File>) -> Self {
        let mut calls = Calls(Vec::new());
        files.for_each(|file| calls.visit_file(file));
        let mut bodies = Vec::new();
        while let Some((key, name, tokens)) = calls.0.pop() {
            let body = Box::new(read_body(&name, tokens));
            match &*body {
                MacroBody::Matches(value, pattern, guard) => {
                    calls.visit_expr(value);
                    calls.visit_pat(pattern);
                    if let Some(guard) = guard {
                        calls.visit_expr(guard);
                    }
                }
                MacroBody::Exprs(exprs) => exprs.iter().for_each(|expr| calls.visit_expr(expr)),
                MacroBody::Repeat(value, count) => {
                    calls.visit_expr(value);
                    calls.visit_expr(count);
                }
                MacroBody::Opaque => {}
            }
            bodies.push((key, body));
        }
        Self { bodies }
    }
}

fn read_body(name: &str, tokens: TokenStream) -> MacroBody {
    use syn::parse::{ParseStream, Parser};
    let body = match name {
        "matches" => (|input: ParseStream<'_>| {
            let value: Expr = input.parse()?;
            input.parse::<Token![,]>()?;
            let pattern = Pat::parse_multi_with_leading_vert(input)?;
            let guard = if input.peek(Token![if]) {
                input.parse::<Token![if]>()?;
                Some(Box::new(input.parse()?))
            } else {
                None
            };
            input.parse::<Option<Token![,]>>()?;
            Ok(MacroBody::Matches(Box::new(value), Box::new(pattern), guard))
        })
        .parse2(tokens),
        "vec" => (|input: ParseStream<'_>| {
            if input.is_empty() {
                return Ok(MacroBody::Exprs(Vec::new()));
            }
            let first: Expr = input.parse()?;
            if input.peek(Token![;]) {
                input.parse::<Token![;]>()?;
                return Ok(MacroBody::Repeat(Box::new(first), Box::new(input.parse()?)));
            }
            let mut exprs = vec![first];
            while input.peek(Token![,]) {
                input.parse::<Token![,]>()?;
                if !input.is_empty() {
                    exprs.push(input.parse()?);
                }
            }
            Ok(MacroBody::Exprs(exprs))
        })
        .parse2(tokens),
        _ => Punctuated::<Expr, Token![,]>::parse_terminated
            .parse2(tokens)
            .map(|exprs| MacroBody::Exprs(exprs.into_iter().collect())),
    };
    body.unwrap_or(MacroBody::Opaque)
}
