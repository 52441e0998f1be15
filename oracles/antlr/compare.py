"""Compares verdicts: compare.py NAME FOLDER, where run.sh has put them. Prints a line, and each difference."""

import json
import pathlib
import sys


def verdicts(file):
    """ANTLR's verdict by the name of the file."""
    lines = file.read_text().splitlines()
    return {name: word == "yes" for word, name in (line.split(" ", 1) for line in lines)}


def main():
    name, base = sys.argv[1], pathlib.Path(sys.argv[2])
    produced = verdicts(base / "produced.antlr")
    changed = verdicts(base / "mutants.antlr")
    report = json.loads((base / "mutants.json").read_text())
    rejected = {item["file"] for item in report["rejected"]}
    good = sum(produced.values())
    differ = [file for file, yes in changed.items() if yes == (file in rejected)]
    print(
        f"{name}: ANTLR accepts {good} of {len(produced)} produced; of {len(changed)} changed it accepts "
        f"{sum(changed.values())}, and pleach says the same of {len(changed) - len(differ)}"
    )
    for file in [file for file, yes in produced.items() if not yes][:20]:
        print("  produced, refused by ANTLR:", repr(pathlib.Path(file).read_text()))
    for file in differ[:50]:
        who = "ANTLR" if changed[file] else "pleach"
        print(f"  only {who} accepts:", repr(pathlib.Path(file).read_text()))
    return 0 if good >= 0.99 * len(produced) and not differ else 1


sys.exit(main())
