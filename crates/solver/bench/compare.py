#!/usr/bin/env python3
"""Times of recorded questions, here and by z3 and bitwuzla of PyPI, in the same run.

    cargo build --release -p pleach-solver --example questions
    pip install z3-solver bitwuzla
    crates/solver/bench/compare.py target/release/examples/questions FILE.smt2...

Each solver is new for each question, takes turns with the others on it, and is not timed while it
reads the text. A question that one of them does not answer in 20 s counts as 20 s.
"""

import statistics
import subprocess
import sys
import time

import bitwuzla
import z3

LIMIT = 20.0


def by_z3(file):
    solver = z3.SolverFor("QF_BV")
    solver.set("timeout", int(LIMIT * 1000))
    solver.from_file(file)
    start = time.perf_counter()
    answer = solver.check()
    return str(answer), time.perf_counter() - start


def by_bitwuzla(file):
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.TIME_LIMIT_PER, int(LIMIT * 1000))
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(file, True)
    solver = parser.bitwuzla()
    start = time.perf_counter()
    answer = solver.check_sat()
    return str(answer).split(".")[-1].lower(), time.perf_counter() - start


def by_pleach(figures, file):
    output = subprocess.run([figures, file], capture_output=True, text=True, check=True).stdout
    _, answer, microseconds, _ = output.splitlines()[0].split("\t")
    return answer, int(microseconds) / 1e6


def main():
    figures, files = sys.argv[1], sys.argv[2:]
    solvers = {
        "pleach": lambda file: by_pleach(figures, file),
        "z3": by_z3,
        "bitwuzla": by_bitwuzla,
    }
    times = {name: [] for name in solvers}
    disagreements = unanswered = 0
    for file in files:
        answers = {}
        for name, ask in solvers.items():
            answers[name], seconds = ask(file)
            times[name].append(min(seconds, LIMIT))
        decided = {answer for answer in answers.values() if answer in ("sat", "unsat")}
        unanswered += answers["pleach"] not in ("sat", "unsat")
        if len(decided) > 1:
            disagreements += 1
            print(f"{file}: {answers}")
    print(f"{len(files)} questions, {unanswered} not answered here, {disagreements} disagreements")
    print("| solver | median | mean | longest | sum |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, each in times.items():
        median, mean = statistics.median(each) * 1000, statistics.fmean(each) * 1000
        longest, total = max(each) * 1000, sum(each)
        print(f"| {name} | {median:.1f} ms | {mean:.1f} ms | {longest:.0f} ms | {total:.2f} s |")
    return disagreements > 0


if __name__ == "__main__":
    sys.exit(main())
