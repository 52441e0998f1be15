#!/usr/bin/env python3
"""How soon angr of PyPI finds rows of the benchmark, from what `explore` begins with.

    pip install angr==9.2.213 'bitstring<5' 'pycparser==3.0'
    bench/bugs/angr/run.py [--seconds 60] [--folder target/bugs/angr] [ROW...] > bench/bugs/angr/results.jsonl

For each row a small program is built that reads standard input into a buffer and gives it to the row's driver. angr enters its
`main` with as many symbolic bytes as a seed has, one seed after the other, with an equal share of the time, and is told to find
where a panic begins. What it finds is run natively: a row is found where the program panics at the row's place, as for `explore`.
Rows of spent stacks and of hangs have no such place, and are not for this. Time is the CPU time of the process that searches, from when angr
has loaded the program; another process ends it where it does not end itself. A row's record is a line of JSON on standard output; `pleach-bugs explore --write`
puts them beside its own.
"""

import argparse
import json
import multiprocessing
import os
import pathlib
import re
import resource
import subprocess
import sys
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROWS = HERE.parent / "rows"
# The first rows for tuning, by name, whose fault is a panic.
CHOSEN = ["bcrypt", "branca", "chrono-format", "chrono-rfc2822", "colored", "cron", "csscolorparser", "dtparse-month"]
LONGEST = 4096
# Bytes that a search may have.
MEMORY = 6 << 30

MANIFEST = """[package]
name = "angr-{name}"
version = "0.0.0"
edition = "2024"
publish = false

[dependencies]
row = {{ path = "{row}" }}

[profile.release]
overflow-checks = true
debug = "full"
opt-level = 1
panic = "abort"
codegen-units = 1

[workspace]
"""

MAIN = """#![no_main]

unsafe extern "C" {{
    fn read(file: i32, to: *mut u8, most: usize) -> isize;
}}

// Without what std does before a `main` of its own: that is of no interest here.
#[unsafe(no_mangle)]
pub extern "C" fn main(_: i32, _: *const *const u8) -> i32 {{
    let mut buffer = [0; {longest}];
    let length = unsafe {{ read(0, buffer.as_mut_ptr(), buffer.len()) }};
    let data = &buffer[..usize::try_from(length).unwrap_or(0)];
    {call}
    0
}}
"""


def build(name, facts, folder):
    """Builds a row's program and says where it is."""
    package = folder / name
    (package / "src").mkdir(parents=True, exist_ok=True)
    text = "if let Ok(text) = std::str::from_utf8(data) { row::run(text) }"
    call = "row::run(data);" if facts.get("bytes") else text
    (package / "Cargo.toml").write_text(MANIFEST.format(name=name, row=ROWS / name))
    (package / "src/main.rs").write_text(MAIN.format(longest=LONGEST, call=call))
    # The row's versions: what is locked there and not needed is left out.
    (package / "Cargo.lock").write_text((ROWS / name / "Cargo.lock").read_text())
    target = folder / "target"
    subprocess.run(["cargo", "build", "--release", "--quiet", "--manifest-path", package / "Cargo.toml", "--target-dir", target], check=True)
    return target / "release" / f"angr-{name}"


def place(program, data):
    """Where the program panics on an input: the innermost frame that is not of the standard library."""
    environment = dict(os.environ, RUST_BACKTRACE="1")
    ran = subprocess.run([program], input=data, capture_output=True, env=environment, timeout=10)
    stderr = ran.stderr.decode(errors="replace")
    if "panicked at" not in stderr:
        return None
    # A frame may have no place, and what panics in the standard library is told with a place in the program, or in the library.
    said = re.findall(r"panicked at (.+?):(\d+):\d+:$", stderr, re.MULTILINE)
    files = re.findall(r"^ +at (.+?):(\d+):\d+$", stderr, re.MULTILINE)
    own = [(file, line) for file, line in said + files if "/library/" not in file]
    if not own:
        return None
    file, line = own[0]
    for mark in ("/registry/src/", "/bugs/rows/"):
        if mark in file:
            file = file.split(mark, 1)[1]
            file = file.split("/", 1)[1] if mark == "/registry/src/" else file
    return f"{file}:{line}"


def search(program, lengths, seconds, wanted, pipe):
    """Searches and sends what comes of it."""
    import logging

    logging.disable(logging.CRITICAL)
    import angr
    import claripy

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    project = angr.Project(str(program), auto_load_libs=False)
    begins = [it.rebased_addr for it in project.loader.main_object.symbols if "rust_begin_unwind" in (it.name or "") and it.rebased_addr]
    record = {"hit": None, "states": 0, "elsewhere": []}
    begun = said = time.process_time()
    for number, length in enumerate(lengths):
        until = begun + seconds * (number + 1) / len(lengths)
        data = claripy.BVS("data", 8 * length)
        state = project.factory.entry_state(
            addr=project.loader.find_symbol("main").rebased_addr,
            stdin=angr.SimFileStream(name="stdin", content=data, has_end=True),
        )
        manager = project.factory.simulation_manager(state)
        while manager.active and time.process_time() < until:
            manager.step(selector_func=lambda it: it.addr not in begins)
            record["states"] += len(manager.active)
            found = [it for it in manager.active if it.addr in begins]
            manager.drop(stash="active", filter_func=lambda it: it.addr in begins)
            for state in found:
                at = place(program, state.solver.eval(data, cast_to=bytes))
                if at == wanted:
                    record["hit"] = round(time.process_time() - begun, 1)
                    record["input"] = repr(state.solver.eval(data, cast_to=bytes))
                    pipe.send(record)
                    return
                if at and at not in record["elsewhere"]:
                    record["elsewhere"].append(at)
            if time.process_time() > said + 1:
                said = time.process_time()
                pipe.send({**record, "took": round(said - begun, 1)})
    pipe.send({**record, "took": round(time.process_time() - begun, 1)})


def seconds_of(process):
    """The CPU time that a process has taken."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(name, seconds, folder):
    facts = tomllib.loads((ROWS / name / "row.toml").read_text())
    program = build(name, facts, folder)
    assert place(program, (ROWS / name / "witness").read_bytes()) == facts["place"], "its witness does not fail so in this program"
    lengths = sorted({it.stat().st_size for it in (ROWS / name / "seeds").iterdir()})
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=search, args=(program, lengths, seconds, facts["place"], theirs))
    process.start()
    record = {"hit": None, "states": 0, "elsewhere": []}
    # What it takes to load the program comes on top; one step may take long.
    while process.is_alive() and seconds_of(process) < 2 * seconds:
        if ours.poll(1):
            record = ours.recv()
    process.kill()
    process.join()
    while ours.poll():
        record = ours.recv()
    if record["hit"] is None and "took" not in record:
        sys.exit(f"{name}: angr did not begin")
    return {"row": name, "lengths": lengths, "seconds": seconds, **record}


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("rows", nargs="*", default=CHOSEN)
    arguments.add_argument("--seconds", type=float, default=60)
    arguments.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("target/bugs/angr"))
    arguments = arguments.parse_args()
    for name in arguments.rows:
        record = run(name, arguments.seconds, arguments.folder.resolve())
        print(json.dumps(record), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
