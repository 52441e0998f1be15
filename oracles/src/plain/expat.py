import sys
from xml.parsers import expat

data, at, answers = sys.stdin.buffer.read(), 0, []
while at < len(data):
    end = at + 4 + int.from_bytes(data[at : at + 4], "little")
    try:
        expat.ParserCreate().Parse(data[at + 4 : end], True)
        answers.append("")
    except expat.ExpatError as error:
        answers.append(str(error))
    at = end
print("\n".join(answers))
