"""Changes texts at random: mutate.py COUNT SEED OUT FILE...

Each of COUNT files in OUT is one of the given ones with one or two changes: a character or a word goes, comes
twice, becomes another of the text, changes places with its neighbour, or comes from another text.
"""

import pathlib
import random
import re
import sys

WORDS = re.compile(r"\w+|\s+|[^\w\s]", re.S)


def change(parts, others, rng):
    """Changes a list of parts in one place."""
    if not parts:
        return parts
    at, other = rng.randrange(len(parts)), rng.randrange(len(parts))
    kind = rng.randrange(5)
    if kind == 0:
        del parts[at]
    elif kind == 1:
        parts.insert(at, parts[at])
    elif kind == 2:
        parts[at] = parts[other]
    elif kind == 3 and at + 1 < len(parts):
        parts[at], parts[at + 1] = parts[at + 1], parts[at]
    elif others:
        parts[at] = rng.choice(others)
    return parts


def main():
    count, seed, out = int(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3])
    rng = random.Random(seed)
    texts = [pathlib.Path(name).read_bytes().decode() for name in sys.argv[4:]]
    out.mkdir(parents=True, exist_ok=True)
    for index in range(count):
        text = rng.choice(texts)
        for _ in range(rng.randint(1, 2)):
            split = WORDS.findall if rng.random() < 0.6 else list
            text = "".join(change(split(text), split(rng.choice(texts)), rng))
        (out / f"{index:04}").write_bytes(text.encode())


main()
