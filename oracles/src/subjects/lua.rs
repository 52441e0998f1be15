//! Lua, judged by Lua itself, which compiles a chunk and does not run it, and by full_moon.

use mlua::chunk::ChunkMode;
use mlua::{Lua, LuaOptions, StdLib};
use pleach::produce::Options;

use crate::{Oracle, Reader, Subject};

pub const SUBJECT: Subject = Subject {
    grammar: "lua",
    standard: "Lua 5.4 Reference Manual, section 9",
    k: 3,
    options: || Options::new().max_depth(60).max_nodes(2000),
    oracles: &[Oracle {
        name: "Lua 5.4 (mlua 0.12)",
        read: Reader::Text(compile),
        clauses: &[],
        accepted: &[
            "",
            "return ...",
            "local X <const>, Y <close> = 1",
            "goto a ::a::",
            "while 1 do local b goto a ::a:: end",
            "x = 0x.8p-1",
            "x = '\\u{7fffFFFF}\\z \n'",
            "x = [==[]=]]]==]",
            "local a (f)()",
        ],
        refused: &[
            "x",
            "break",
            "goto a",
            "::a:: do ::a:: end",
            "goto a local b ::a:: b = 1",
            "function f() return ... end",
            "local X <const> = 1 X = 2",
            "local X <fixed> = 1",
            "local X <close>, Y <close> = 1",
            "local x = f (a).b = 3",
            "x = 1and 2",
            "x = '\\256'",
            "x = '\n'",
            "x = 0x",
            "return 1 x = 2",
            "(x) = 1",
        ],
    }],
};

fn compile(text: &[u8]) -> Result<(), String> {
    let lua = Lua::new_with(StdLib::NONE, LuaOptions::default()).map_err(|e| e.to_string())?;
    let chunk = lua.load(text).set_name("=chunk").set_mode(ChunkMode::Text);
    chunk.into_function().map(drop).map_err(|error| error.to_string())
}
