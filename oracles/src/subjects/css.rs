//! Style sheets, judged by cssparser, and their selectors by the crate `selectors`.
//!
//! cssparser recovers from errors, as the standard says. The walk here goes through rules and
//! declarations and takes every error that cssparser reports, at any depth, for a refusal.

use std::collections::HashSet;

use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, Delimiter, ParseError, Parser, ParserState,
    QualifiedRuleParser, RuleBodyItemParser, RuleBodyParser, StyleSheetParser, ToCss, Token,
};
use pleach::produce::Options;
use selectors::parser::{
    NonTSPseudoClass, ParseRelative, PseudoElement, SelectorImpl, SelectorList,
    SelectorParseErrorKind,
};

use crate::{Oracle, Reader, Subject};

pub const SUBJECT: Subject = Subject {
    grammar: "css",
    standard: "CSS Syntax Level 3, Selectors Level 3",
    k: 3,
    // cssparser reads 128 blocks within one another; a block takes two edges or more.
    options: || Options::new().max_depth(100),
    oracles: &[Oracle {
        name: "cssparser 0.38, selectors 0.42",
        read: Reader::Text(read),
        clauses: &[],
        accepted: &[
            "",
            "<!-- a{} -->",
            "@charset \"utf-8\";@import url(a);@namespace svg \"\";svg|a,*|b>|c d{}",
            "a:nth-child( -2N + 1 )::before,[a|='b'],:not(*){color:red!important;;--a:{([;!])}}",
            "@media screen{a:hover{b:url( c )}}@page :first{}@a b;",
        ],
        refused: &[
            "a",
            "a{b}",
            "a{b:c",
            "a{:c}",
            "a,{}",
            "a>{}",
            "svg|a{}",
            "a::b{}",
            "a:hover(b){}",
            "[a=]{}",
            "#1{}",
            ".1{}",
            ":nth-child(n+){}",
            ":not(){}",
            "a::before b{}",
            "a{b:'c\n'}",
            "a{b:url(c d)}",
            "a{b:)}",
            "a{b:(]}",
            "a{b:c!d}",
            "a{}}",
            "@media a{b}",
            "@page{a{}}",
            "@import b;",
            "a{}@import 'b';",
            "a{}@namespace 'b';",
            "@charset \"a\";@charset \"a\";",
        ],
    }],
};

fn read(text: &[u8]) -> Result<(), String> {
    let text = str::from_utf8(text).map_err(|error| error.to_string())?;
    let mut input = Parser::new(text);
    let mut sheet = Sheet::default();
    sheet.rules(&mut input).map_err(|error| format!("{error:?}"))?;
    match closed(&mut Parser::new(text)) {
        true => Ok(()),
        false => Err("an unclosed block, string or comment".into()),
    }
}

/// Whether each block that is opened is closed, which cssparser does not say: the standard closes
/// what is open at the end of a style sheet.
fn closed(input: &mut Parser) -> bool {
    while let Ok(token) = input.next_including_whitespace_and_comments() {
        let open = matches!(
            token,
            Token::Function(_)
                | Token::ParenthesisBlock
                | Token::SquareBracketBlock
                | Token::CurlyBracketBlock
        );
        if open {
            let start = input.position();
            let mut whole = true;
            let nested = input.parse_nested_block(|input| {
                whole = closed(input);
                Ok::<_, ParseError<()>>(())
            });
            if nested.is_err() || !whole || !input.slice_from(start).ends_with([')', ']', '}']) {
                return false;
            }
        }
    }
    true
}

type Failure = ParseError<SelectorParseErrorKind>;

/// The walk through a style sheet.
#[derive(Default)]
struct Sheet {
    /// The prefixes that `@namespace` has declared.
    prefixes: HashSet<String>,
    /// What may still come.
    stage: Stage,
}

/// Imports stand before namespaces, and these before all other rules.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    #[default]
    Imports,
    Namespaces,
    Rules,
}

/// What the block of an at-rule holds.
#[derive(Clone, Copy)]
enum Block {
    /// None: the rule ends with `;`.
    None,
    Rules,
    Declarations,
    Any,
}

impl Sheet {
    /// Goes on to a stage, unless it is over.
    fn enter(&mut self, stage: Stage) -> Result<(), Failure> {
        if stage < self.stage {
            return Err(ParseError::unexpected_token());
        }
        self.stage = stage;
        Ok(())
    }

    fn rules(&mut self, input: &mut Parser) -> Result<(), Failure> {
        for rule in StyleSheetParser::new(input, self) {
            rule.map_err(|(error, ..)| error)?;
        }
        Ok(())
    }

    fn declarations(&mut self, input: &mut Parser) -> Result<(), Failure> {
        for declaration in RuleBodyParser::new(input, self) {
            declaration.map_err(|(error, ..)| error)?;
        }
        Ok(())
    }

    fn values(input: &mut Parser) -> Result<(), Failure> {
        input.expect_no_error_token().map_err(Into::into)
    }
}

impl<'i> AtRuleParser<'i> for Sheet {
    type Prelude = Block;
    type AtRule = ();
    type Error = SelectorParseErrorKind;

    fn parse_prelude(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
    ) -> Result<Block, Failure> {
        let name = name.to_ascii_lowercase();
        self.enter(match &*name {
            "import" => Stage::Imports,
            "namespace" => Stage::Namespaces,
            _ => Stage::Rules,
        })?;
        let block = match &*name {
            "charset" => return Err(ParseError::unexpected_token()),
            "import" => {
                input.expect_url_or_string()?;
                Block::None
            }
            "namespace" => {
                if let Ok(prefix) = input.try_parse(Parser::expect_ident_cloned) {
                    self.prefixes.insert(prefix.to_string());
                }
                input.expect_url_or_string()?;
                input.expect_exhausted()?;
                Block::None
            }
            "media" | "supports" => Block::Rules,
            "font-face" | "page" => Block::Declarations,
            _ => Block::Any,
        };
        Self::values(input)?;
        Ok(block)
    }

    fn rule_without_block(&mut self, block: Block, _: &ParserState) -> Result<(), ()> {
        match block {
            Block::None | Block::Any => Ok(()),
            Block::Rules | Block::Declarations => Err(()),
        }
    }

    fn parse_block(
        &mut self,
        block: Block,
        _: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<(), Failure> {
        match block {
            Block::None => Err(ParseError::unexpected_token()),
            Block::Rules => self.rules(input),
            Block::Declarations => self.declarations(input),
            Block::Any => Self::values(input),
        }
    }
}

impl<'i> QualifiedRuleParser<'i> for Sheet {
    type Prelude = ();
    type QualifiedRule = ();
    type Error = SelectorParseErrorKind;

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Result<(), Failure> {
        self.enter(Stage::Rules)?;
        SelectorList::parse(&Level3(&self.prefixes), input, ParseRelative::No).map(drop)
    }

    fn parse_block(
        &mut self,
        (): (),
        _: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<(), Failure> {
        self.declarations(input)
    }
}

impl<'i> DeclarationParser<'i> for Sheet {
    type Declaration = ();
    type Error = SelectorParseErrorKind;

    fn parse_value(
        &mut self,
        _: CowRcStr<'i>,
        input: &mut Parser<'i>,
        _: &ParserState,
    ) -> Result<(), Failure> {
        input.parse_until_before(Delimiter::Bang, Self::values)?;
        if !input.is_exhausted() {
            cssparser::parse_important(input)?;
        }
        input.expect_exhausted().map_err(Into::into)
    }
}

impl RuleBodyItemParser<'_, (), SelectorParseErrorKind> for Sheet {
    fn parse_declarations(&self) -> bool {
        true
    }

    fn parse_qualified(&self) -> bool {
        false
    }
}

/// The selectors of level 3, with the prefixes that are declared.
struct Level3<'p>(&'p HashSet<String>);

impl<'i> selectors::Parser<'i> for Level3<'_> {
    type Impl = Names;
    type Error = SelectorParseErrorKind;

    fn parse_non_ts_pseudo_class(&self, name: &str) -> Result<Name, Failure> {
        const NAMES: [&str; 9] = [
            "link", "visited", "hover", "active", "focus", "target", "enabled", "disabled",
            "checked",
        ];
        known(&NAMES, name)
    }

    fn parse_non_ts_functional_pseudo_class(
        &self,
        name: &str,
        input: &mut Parser<'i>,
        _: bool,
    ) -> Result<Name, Failure> {
        input.expect_ident()?;
        known(&["lang"], name)
    }

    fn parse_pseudo_element(&self, name: &str) -> Result<Name, Failure> {
        known(&["first-line", "first-letter", "before", "after"], name)
    }

    fn namespace_for_prefix(&self, prefix: &Name) -> Option<Name> {
        self.0.contains(&prefix.0).then(|| prefix.clone())
    }
}

fn known(names: &[&str], name: &str) -> Result<Name, Failure> {
    match names.iter().any(|known| known.eq_ignore_ascii_case(name)) {
        true => Ok(name.into()),
        false => Err(ParseError::custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement)),
    }
}

/// All that the crate `selectors` wants a type for is a name here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Name(String);

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        Self(name.into())
    }
}

impl ToCss for Name {
    fn to_css<W: std::fmt::Write>(&self, sink: &mut W) -> std::fmt::Result {
        sink.write_str(&self.0)
    }
}

impl precomputed_hash::PrecomputedHash for Name {
    fn precomputed_hash(&self) -> u32 {
        // FNV-1a. Nothing is matched, so its quality does not matter.
        self.0
            .bytes()
            .fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    }
}

impl NonTSPseudoClass for Name {
    fn is_active_or_hover(&self) -> bool {
        matches!(&*self.0.to_ascii_lowercase(), "active" | "hover")
    }

    fn is_user_action_state(&self) -> bool {
        self.is_active_or_hover() || self.0.eq_ignore_ascii_case("focus")
    }
}

impl PseudoElement for Name {}

#[derive(Clone, Debug)]
struct Names;

impl SelectorImpl for Names {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Name;
    type Identifier = Name;
    type LocalName = Name;
    type NamespaceUrl = Name;
    type NamespacePrefix = Name;
    type BorrowedNamespaceUrl = Name;
    type BorrowedLocalName = Name;
    type NonTSPseudoClass = Name;
    type PseudoElement = Name;
}
