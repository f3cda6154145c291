"""What each client is to do; the same as in task.mjs."""
import json
import os
import sys

url, key, model, wire = (os.environ["CLIENT_" + name] for name in ("URL", "KEY", "MODEL", "WIRE"))
streamed = os.environ["CLIENT_STREAM"] == "yes"
prompt = sys.argv[1]
instructions = "You read files."
tool_name = "print_file"
tool_description = "Prints a file."
parameters = {
    "type": "object",
    "properties": {"path": {"type": "string", "description": "Its name"}},
    "required": ["path"],
    "additionalProperties": False,
}


def print_file(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def report(text, used):
    """`used`: prompt (with cached), cached and output tokens of each answer."""
    shown = {name: sum(tokens[at] or 0 for tokens in used) for at, name in enumerate(("prompt", "cached", "output"))}
    print(json.dumps({"text": text, "shown": shown}))
