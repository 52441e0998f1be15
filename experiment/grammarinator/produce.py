"""Writes texts of a Grammarinator generator, each with the time that it took until then.

produce.py FOLDER NAME DEPTH SEED BYTES SECONDS

The generator is class NAME of module NAME in FOLDER, as grammarinator-process writes it. Texts are
made until there are BYTES of them and SECONDS of processor time have gone by. A text is written as
its length in four bytes, the nanoseconds since the first began in eight, both least first, and its
bytes in UTF-8. Time is counted without the interpreter's start and imports.
"""

import importlib
import random
import struct
import sys
import time

from grammarinator.runtime import RuleSize
from grammarinator.tool import DefaultGeneratorFactory, GeneratorTool


def main():
    folder, name, depth, seed, size, seconds = sys.argv[1:]
    sys.path.insert(0, folder)
    sys.setrecursionlimit(100_000)
    factory = DefaultGeneratorFactory(getattr(importlib.import_module(name), name))
    tool = GeneratorTool(factory, out_format="", limit=RuleSize(depth=int(depth), tokens=RuleSize.max.tokens))
    random.seed(int(seed))
    made, spent = 0, 0
    start = time.process_time_ns()
    while made < int(size) or spent < float(seconds) * 1e9:
        text = str(tool.generate()).encode("utf-8", "surrogatepass")
        spent = time.process_time_ns() - start
        made += len(text)
        sys.stdout.buffer.write(struct.pack("<IQ", len(text), spent) + text)


main()
