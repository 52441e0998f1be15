//! Sessions with a form, played on a state machine of it.

use pleach::produce::Options;

use crate::{Oracle, Reader, Subject};

#[allow(dead_code)] // The example uses the rest.
#[path = "../../../examples/ui_events/form.rs"]
mod form;

pub const SUBJECT: Subject = Subject {
    grammar: "ui-events",
    standard: "the form of examples/ui_events",
    k: 3,
    options: Options::new,
    oracles: &[Oracle {
        name: "the form's state machine",
        read: Reader::Text(play),
        clauses: &[],
        accepted: &[
            "close\n",
            "click sign-in\nfill email \"a@b.c\"\nfill password \"correct horse 1\"\nkey Enter\n\
             click menu\nclick sign-out\nclick confirm\nclose\n",
            "click register\nfill email \"a@b.c\"\nfill password \"abcdefg1\"\nclick next\n\
             click terms\nfill name \"Ada\"\nclick finish\nclick continue\nclose\n",
            "click sign-in\nclick forgot\nfill email \"\"\nkey Escape\nclose\n",
        ],
        refused: &[
            "",
            "click sign-in\n",
            "close\nclose\n",
            "click submit\nclose\n",
            "click anything\nclose\n",
            "key Enter\nclose\n",
            "key Tab\nclose\n",
            "fill email \"a@b.c\"\nclose\n",
            "click sign-in\nfill email \"a@b\"\nfill password \"x\"\nkey Enter\nclose\n",
            "click sign-in\nfill email \"a@b.c\"\nclick submit\nclose\n",
            "click sign-in\nfill email \"a@b.c\"\nfill password \"wrong\"\nkey Enter\nclick menu\n\
             close\n",
            "click register\nfill email \"a@b.c\"\nfill password \"abcdefgh\"\nkey Enter\nclose\n",
            "click register\nfill email \"a@b.c\"\nfill password \"abcdefg1\"\nclick next\n\
             click terms\nclick terms\nfill name \"Ada\"\nclick finish\nclose\n",
            "click register\nfill email \"a@b.c\"\nfill password \"abcdefg1\"\nclick next\n\
             click terms\nfill name \" \"\nclick finish\nclose\n",
        ],
    }],
};

fn play(text: &[u8]) -> Result<(), String> {
    form::play(str::from_utf8(text).map_err(|error| error.to_string())?).map(drop)
}
