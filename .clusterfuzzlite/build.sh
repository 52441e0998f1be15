#!/bin/bash -eu
# Builds the fuzz targets as OSS-Fuzz and ClusterFuzzLite expect them: executables in $OUT, and beside
# each its seeds, its dictionary and its options. Without Docker:
#
#     OUT=/tmp/out WORK=/tmp/work SANITIZER=none .clusterfuzzlite/build.sh
#
# It needs cargo-fuzz and zip, and for other sanitizers than `none` a nightly toolchain.
cd "$(dirname "$(readlink -f "$0")")"
# In the images this script stands in $SRC, beside the repository.
if [ -d ../grammars ]; then cd ..; else cd "$SRC/pleach"; fi
mkdir -p "$OUT" "$WORK"

# The targets. `cargo fuzz list` has them too; but where they are built for coverage, OSS-Fuzz's `cargo`
# takes every `cargo fuzz` for a build.
targets=$(cd fuzz/fuzz_targets && printf '%s\n' *.rs | sed 's/\.rs$//')

case ${SANITIZER:-address} in
    # The images' own `cargo` builds for coverage.
    coverage | introspector) sanitizer=() ;;
    # Rust has no such sanitizer; overflow, and what else it would find here, are debug assertions.
    undefined) sanitizer=(-s none) ;;
    # The standard library must be instrumented too.
    memory) sanitizer=(-s memory --build-std) ;;
    *) sanitizer=(-s "${SANITIZER:-address}") ;;
esac
triple=$(rustc -vV | sed -n 's/^host: //p')
# With counters in pleach too, which is a target of most.
export RUSTFLAGS="${RUSTFLAGS:-} --cfg pleach_itself"
cargo fuzz build -O -a --target "$triple" "${sanitizer[@]}"
for name in $targets; do
    case $name in
        import_*) cargo fuzz build -O -a --target "$triple" "${sanitizer[@]}" --features import "$name" ;;
        machine) cargo fuzz build -O -a --target "$triple" "${sanitizer[@]}" --features inside "$name" ;;
    esac
done
target=$(cargo metadata --format-version 1 --no-deps --manifest-path fuzz/Cargo.toml |
    sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p')

# The command is no fuzz target: it is built without their flags, and apart from them. They are not
# unset, as OSS-Fuzz's `cargo` adds to them.
RUSTFLAGS='' cargo build --release --bin pleach --target-dir "$WORK/command"
pleach=$WORK/command/release/pleach

for name in $targets; do
    cp "$target/$triple/release/$name" "$OUT/"
    # The first grammar that a target names is its own; others are what that one includes.
    grammar=$(grep -oE '"[^"]+\.pleach"' "fuzz/fuzz_targets/$name.rs" | head -n 1 | tr -d '"')
    grammar=fuzz/fuzz_targets/$grammar
    seeds=$WORK/seeds/$name
    rm -rf "$seeds"
    "$pleach" generate "$grammar" -k 2 --max-bytes 4096 -o "$seeds"
    # Texts have the name of the grammar or, where another says the current edition, of the target; URLs are
    # as people write URIs.
    for texts in "oracles/texts/$(basename "$grammar" .pleach)" "oracles/texts/${name/#url/uri}"; do
        if [ -d "$texts" ]; then cp "$texts"/* "$seeds/"; fi
    done
    rm -f "$OUT/${name}_seed_corpus.zip"
    find "$seeds" -type f | sort | zip -q -j -@ "$OUT/${name}_seed_corpus.zip"
    "$pleach" dict "$grammar" >"$OUT/$name.dict"
    printf '[libfuzzer]\nmax_len = 4096\ndict = %s.dict\n' "$name" >"$OUT/$name.options"
done
