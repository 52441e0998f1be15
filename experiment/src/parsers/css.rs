//! A consumer of style sheets that keeps nothing: rules, nested ones included, and declarations,
//! whose preludes and values are any component values without an error token.

use std::convert::Infallible;

use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState,
    QualifiedRuleParser, RuleBodyItemParser, RuleBodyParser, StyleSheetParser, parse_important,
};

type Outcome = Result<(), ParseError<Infallible>>;

struct Consumer;

fn values(input: &mut Parser<'_>) -> Outcome {
    Ok(input.expect_no_error_token()?)
}

fn body(consumer: &mut Consumer, input: &mut Parser<'_>) -> Outcome {
    for item in RuleBodyParser::new(input, consumer) {
        item.map_err(|(error, _, _)| error)?;
    }
    Ok(())
}

impl<'i> AtRuleParser<'i> for Consumer {
    type Prelude = ();
    type AtRule = ();
    type Error = Infallible;

    fn parse_prelude(&mut self, _name: CowRcStr<'i>, input: &mut Parser<'i>) -> Outcome {
        values(input)
    }

    fn rule_without_block(&mut self, (): (), _start: &ParserState) -> Result<(), ()> {
        Ok(())
    }

    fn parse_block(&mut self, (): (), _start: &ParserState, input: &mut Parser<'i>) -> Outcome {
        body(self, input)
    }
}

impl<'i> QualifiedRuleParser<'i> for Consumer {
    type Prelude = ();
    type QualifiedRule = ();
    type Error = Infallible;

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Outcome {
        values(input)
    }

    fn parse_block(&mut self, (): (), _start: &ParserState, input: &mut Parser<'i>) -> Outcome {
        body(self, input)
    }
}

impl<'i> DeclarationParser<'i> for Consumer {
    type Declaration = ();
    type Error = Infallible;

    fn parse_value(
        &mut self,
        _name: CowRcStr<'i>,
        input: &mut Parser<'i>,
        _start: &ParserState,
    ) -> Outcome {
        input.parse_until_before(cssparser::Delimiter::Bang, values)?;
        let _ = input.try_parse(parse_important);
        values(input)
    }
}

impl RuleBodyItemParser<'_, (), Infallible> for Consumer {
    fn parse_declarations(&self) -> bool {
        true
    }

    fn parse_qualified(&self) -> bool {
        true
    }
}

/// Whether a text is a style sheet.
pub fn css(text: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(text) else { return false };
    let mut input = Parser::new(text);
    // All rules are consumed, whatever becomes of the ones before.
    StyleSheetParser::new(&mut input, &mut Consumer).fold(true, |all, rule| all & rule.is_ok())
}
