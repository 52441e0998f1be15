import sys
import tomllib

data, at, answers = sys.stdin.buffer.read(), 0, []
while at < len(data):
    end = at + 4 + int.from_bytes(data[at : at + 4], "little")
    try:
        tomllib.loads(data[at + 4 : end].decode())
        answers.append("")
    except ValueError as error:
        answers.append(" ".join(str(error).split()) or "refused")
    at = end
print("\n".join(answers))
