//! Texts for the rules of a differential target.

use pleach_core::grammar::Grammar;
use proc_macro::{Delimiter, Group, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

use crate::tokens::{Fault, string, unwrapped};

/// `&[("rule", &["text"])]` for a grammar, and for what is taken for its rules: `("rule", "regex")`.
pub(crate) fn implants(
    grammar: &Grammar,
    against: Option<&TokenStream>,
    span: Span,
) -> Result<TokenStream, Fault> {
    let pairs = against.cloned().into_iter().flatten();
    let pairs = pairs.filter(|token| !matches!(token, TokenTree::Punct(_)));
    let pairs = pairs.map(pair).collect::<Result<Vec<_>, _>>()?;
    let implants = pleach_differential::implants(grammar, &pairs);
    let implants = implants.map_err(|error| Fault::new(span, error.to_string()))?;
    let text = |text: &String| TokenStream::from(TokenTree::from(Literal::string(text)));
    let of = |(rule, texts): (String, Vec<String>)| {
        let pair = listed([text(&rule), slice(texts.iter().map(text))]);
        TokenTree::from(Group::new(Delimiter::Parenthesis, pair)).into()
    };
    Ok(slice(implants.into_iter().map(of)))
}

/// A rule and a regex.
fn pair(token: TokenTree) -> Result<(String, String), Fault> {
    let span = token.span();
    let texts = match unwrapped(token) {
        TokenTree::Group(pair) => pair.stream(),
        _ => TokenStream::new(),
    };
    let texts = texts.into_iter().filter(|token| !matches!(token, TokenTree::Punct(_)));
    let texts = texts.map(string).collect::<Option<Vec<_>>>().unwrap_or_default();
    match <[_; 2]>::try_from(texts) {
        Ok([(rule, _), (regex, _)]) => Ok((rule, regex)),
        Err(_) => Err(Fault::new(
            span,
            "the grammar is compiled with the target: write a rule and its regex as string literals",
        )),
    }
}

/// A slice of some expressions.
fn slice(items: impl IntoIterator<Item = TokenStream>) -> TokenStream {
    let ampersand = TokenTree::from(Punct::new('&', Spacing::Alone));
    let items = TokenTree::from(Group::new(Delimiter::Bracket, listed(items)));
    [ampersand, items].into_iter().collect()
}

/// Expressions with a comma behind each.
fn listed(items: impl IntoIterator<Item = TokenStream>) -> TokenStream {
    let comma = TokenStream::from(TokenTree::from(Punct::new(',', Spacing::Alone)));
    items.into_iter().flat_map(|item| [item, comma.clone()]).collect()
}
