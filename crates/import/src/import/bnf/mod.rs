//! BNF, as the ALGOL 60 report has it (Naur and others, "Revised Report on the Algorithmic Language ALGOL
//! 60", 1963, section 1.1), and as later documents do.
//!
//! `<name> ::= ...`, with alternatives between `|`; a rule goes on until a line begins with the next
//! `<name> ::=`. Names may have spaces. All else stands for itself: words and signs as they are, without
//! the white space between them, and texts in `"` or `'` without their quotes. `<empty>`, where no rule has
//! that name, and `ε` are nothing. BNF has no escapes: a name that no rule has and that says which characters it
//! means (`<line feed>`, `<U+0080-U+10FFFF>`; [`special`] has all) is these, with a warning. A right side that is one run of signs is a terminal, whatever they are:
//! `<bar> ::= |`. The start is the first rule, and a symbol is a Unicode scalar value unless the caller says
//! otherwise. Lines that begin with `--`, `//`, `#` or `;` are comments.
//!
//! What signs mean depends on the text as a whole, for ALGOL's brackets are terminals:
//!
//! | the text has | `[ ]` | `{ }` | `( )` | `*` `+` `?` | `...` |
//! | --- | --- | --- | --- | --- | --- |
//! | something in quotes | or nothing | any number of times | group | quantifiers | itself |
//! | nothing in quotes, but `{` or `...`, as SQL's standard | or nothing | group | itself | itself | one or more |
//! | neither | itself | itself | itself | itself | itself |
//!
//! `!!` and what follows it on the right of a `::=` is prose, as in SQL's standard: the rule is to be supplied.
//! Text before the first rule is prose, too, and passed over with a warning.
//!
//! A `::=` that no rule begins with is a mistake, for else a rule with a name that is none here would be taken
//! for a part of the one before it; and so is a `<` with a word right after it that no `>` ends.

use std::collections::HashSet;

use pest::Parser as _;

use super::body::{Body, Bracket};
use super::builder::Builder;
use super::special;
use pleach_core::grammar::{Diagnostic, ExprId, Resolver, Span};

#[derive(pest_derive::Parser)]
#[grammar = "import/bnf/bnf.pest"]
struct Tokens;

/// What signs mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// Themselves.
    Classic,
    /// `[ ]`, `{ }` and `...` as SQL's standard has them.
    Sql,
    /// Brackets and quantifiers, for terminals are quoted.
    Quoted,
}

/// A token: what it is, its text and where it begins.
type Token<'t> = (Rule, &'t str, usize);

/// Where a token ends.
fn end(token: Token<'_>) -> usize {
    token.2 + token.1.len()
}

/// Whether a token is a sign of its own.
fn is_sign(token: Token<'_>) -> bool {
    matches!(token.0, Rule::symbol | Rule::many | Rule::sign)
}

/// Reads a file.
pub(super) fn read(builder: &mut Builder, file: u32, _: &dyn Resolver) {
    let text = builder.grammar.files[file as usize].text.clone();
    // Every text has tokens.
    let Ok(tokens) = Tokens::parse(Rule::tokens, &text) else { return };
    let tokens: Vec<Token<'_>> = tokens
        .filter(|token| token.as_rule() != Rule::EOI)
        .map(|token| (token.as_rule(), token.as_str(), token.as_span().start()))
        .collect();
    let heads = heads(&text, &tokens);
    let mut body = Body::new(builder, file);
    let Some(&first) = heads.first() else {
        let span = body.span(0, 0);
        return body.error(span, "there is no rule", "a rule is written: <name> ::= ...");
    };
    if first > 0 {
        for at in 1..first {
            if tokens[at].0 == Rule::sign && tokens[at - 1].1.ends_with('>') {
                stray_sign(&mut body, tokens[at]);
            }
        }
        let span = body.span(tokens[0].2, end(tokens[first - 1]));
        let effect = "it is taken for prose and left out";
        body.builder.lose(span, "this stands before the first rule", effect);
    }
    let ends = heads.iter().skip(1).copied().chain([tokens.len()]);
    let rules: Vec<(Token<'_>, &[Token<'_>])> =
        heads.iter().zip(ends).map(|(&head, end)| (tokens[head], &tokens[head + 2..end])).collect();
    let names = rules.iter().map(|(head, _)| words(head.1)).collect();
    let style = style(&rules);
    let mut reader = Reader { body, names, taken: HashSet::new(), style };
    for (head, right) in rules {
        reader.rule(head, right);
    }
}

/// Where rules begin: at a name with `::=` after it and nothing before it on its line.
fn heads(text: &str, tokens: &[Token<'_>]) -> Vec<usize> {
    let mut heads = Vec::new();
    let mut before = 0;
    for (at, &token) in tokens.iter().enumerate() {
        let begins = at == 0 || text[before..token.2].contains(['\n', '\r']);
        let sign = tokens.get(at + 1).is_some_and(|next| next.0 == Rule::sign);
        if token.0 == Rule::name && begins && sign {
            heads.push(at);
        }
        before = end(token);
    }
    heads
}

/// Reports a `::=` that no rule begins with.
fn stray_sign(body: &mut Body<'_>, sign: Token<'_>) {
    let help = "a rule begins on a line of its own, with `<name> ::=`, and its name with a letter or a digit; \
                the text `::=` is quoted, or all that a rule of its own is";
    body.error(body.span(sign.2, end(sign)), "no rule begins with this `::=`", help);
}

/// What signs mean in a text.
fn style(rules: &[(Token<'_>, &[Token<'_>])]) -> Style {
    let rights = || rules.iter().map(|(_, right)| right).filter(|right| !is_run(right));
    let has = |is: fn(&Token<'_>) -> bool| rights().any(|right| right.iter().any(is));
    if has(|token| token.0 == Rule::string) {
        Style::Quoted
    } else if has(|token| token.0 == Rule::many || token.1 == "{") {
        Style::Sql
    } else {
        Style::Classic
    }
}

/// Whether a right side is one run of signs.
fn is_run(right: &[Token<'_>]) -> bool {
    !right.is_empty()
        && right.iter().all(|&token| is_sign(token))
        && right.windows(2).all(|pair| end(pair[0]) == pair[1].2)
}

/// A name without its brackets and with one space between its words.
fn words(name: &str) -> String {
    let words: Vec<&str> = name.trim_matches(['<', '>']).split_whitespace().collect();
    words.join(" ")
}

struct Reader<'d> {
    body: Body<'d>,
    /// The rules' names.
    names: HashSet<String>,
    /// Names that were taken for characters.
    taken: HashSet<String>,
    style: Style,
}

impl Reader<'_> {
    fn rule(&mut self, head: Token<'_>, right: &[Token<'_>]) {
        let name = words(head.1);
        let span = self.body.span(head.2, end(head));
        if let [one, two, ..] = right
            && one.1 == "!"
            && two.1 == "!"
        {
            let message = format!("`{}` is described in prose", head.1);
            let help = "supply a grammar that defines it (--with FILE)";
            return self.body.builder.undefined(&name, Diagnostic::error(span, message).help(help));
        }
        let from = right.first().map_or(end(head), |first| first.2);
        let to = right.last().map_or(from, |&last| end(last));
        self.body.begin(&name, span, from as u32);
        if is_run(right) {
            self.terminal(right);
        } else {
            let mut at = 0;
            while at < right.len() {
                at += self.token(&right[at..]);
            }
        }
        self.body.end(to as u32);
    }

    /// Signs that stand for themselves.
    fn terminal(&mut self, signs: &[Token<'_>]) {
        let text: String = signs.iter().map(|sign| sign.1).collect();
        let span = self.body.span(signs[0].2, signs.last().map_or(0, |&last| end(last)));
        let empty = text == "ε" || text == "ϵ";
        let term = match empty {
            true => self.body.builder.sequence(&[], span),
            false => self.body.builder.literal(text.as_bytes(), false, span),
        };
        self.body.term(term);
    }

    /// Reads the first of some tokens, and says how many that are.
    fn token(&mut self, tokens: &[Token<'_>]) -> usize {
        let (rule, text, start) = tokens[0];
        let span = self.body.span(start, start + text.len());
        if self.is_mark(tokens[0]) {
            self.mark(tokens[0]);
            return 1;
        }
        match rule {
            Rule::sign => {
                stray_sign(&mut self.body, tokens[0]);
                return 1;
            }
            Rule::open => {
                let help = "write `>` after the name, or white space after a `<` that begins none";
                self.body.error(span, "this name is not closed on its line", help);
                return 1;
            }
            _ => {}
        }
        let term = match rule {
            Rule::name => self.name(words(text), span),
            Rule::string => {
                self.body.builder.literal(&text.as_bytes()[1..text.len() - 1], false, span)
            }
            Rule::word if text == "ε" || text == "ϵ" => self.body.builder.sequence(&[], span),
            Rule::word => self.body.builder.literal(text.as_bytes(), false, span),
            _ => {
                let mut count = 1;
                while count < tokens.len()
                    && is_sign(tokens[count])
                    && tokens[count].0 != Rule::sign
                    && !self.is_mark(tokens[count])
                    && end(tokens[count - 1]) == tokens[count].2
                {
                    count += 1;
                }
                self.terminal(&tokens[..count]);
                return count;
            }
        };
        self.body.term(term);
        1
    }

    /// What a name stands for.
    fn name(&mut self, name: String, span: Span) -> ExprId {
        if self.names.contains(&name) {
            return self.body.builder.reference(name, span);
        }
        if name == "empty" {
            return self.body.builder.sequence(&[], span);
        }
        match special::symbols(&name, self.body.builder.last_symbol()) {
            Some(symbols) => {
                if self.taken.insert(name.clone()) {
                    let what = format!("no rule defines `<{name}>`");
                    let effect = "it is taken for the characters that are known by these words";
                    self.body.builder.lose(span, what, effect);
                }
                self.body.builder.class(symbols, span)
            }
            None => self.body.builder.reference(name, span),
        }
    }

    /// Whether a token is no terminal.
    fn is_mark(&self, token: Token<'_>) -> bool {
        let marks: &[&str] = match self.style {
            Style::Classic => &["|"],
            Style::Sql => &["|", "[", "]", "{", "}", "..."],
            Style::Quoted => &["|", "[", "]", "{", "}", "(", ")", "*", "+", "?"],
        };
        is_sign(token) && marks.contains(&token.1)
    }

    fn mark(&mut self, token: Token<'_>) {
        let span = self.body.span(token.2, end(token));
        let brace = match self.style {
            Style::Sql => Bracket::Group,
            _ => Bracket::Repeated,
        };
        match token.1 {
            "|" => self.body.bar(span),
            "(" => self.body.open(span, Bracket::Group),
            "[" => self.body.open(span, Bracket::Optional),
            "{" => self.body.open(span, brace),
            ")" => self.body.close(span, Bracket::Group),
            "]" => self.body.close(span, Bracket::Optional),
            "}" => self.body.close(span, brace),
            "?" => self.body.repeat(span, 0, Some(1)),
            "*" => self.body.repeat(span, 0, None),
            _ => self.body.repeat(span, 1, None),
        }
    }
}
