#!/usr/bin/env python3
"""The schema and the program agree: on every scene of scene_cases.json, and on all that ship with the program."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not there")
    sys.exit(77)

root = pathlib.Path(__file__).resolve().parents[2]
program = os.environ["CAIRN_PROGRAM"]
schema = json.loads((root / "scenes/scene.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
failures = []


def program_takes(path):
    return subprocess.run([program, "check", str(path)], capture_output=True, check=False).returncode == 0


def without_comments(text):
    """Comments stand outside strings."""
    pattern = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
    return pattern.sub(lambda match: match.group(1) or " ", text)


def expect(what, who, takes, wanted):
    if takes != wanted:
        failures.append(f"{what}: {who} {'takes' if takes else 'refuses'} it")


cases = json.loads((root / "tests/cli/scene_cases.json").read_text())
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "scene.json"
    for group, program_wanted, schema_wanted in (
        ("bad", False, False),
        ("bad_beyond_a_schema", False, True),  # references, and sums over several numbers
        ("good", True, True),
    ):
        for case in cases[group]:
            path.write_text(json.dumps(case["scene"]))
            expect(case["what"], "the program", program_takes(path), program_wanted)
            expect(case["what"], "the schema", validator.is_valid(case["scene"]), schema_wanted)

shipped = sorted((root / "scenes").glob("*.json"))
for path in shipped:
    if path.name != "scene.schema.json":
        expect(path.name, "the program", program_takes(path), True)
        for error in validator.iter_errors(json.loads(without_comments(path.read_text()))):
            failures.append(f"{path.name}: the schema refuses it: {error.message} at {list(error.path)}")

print("\n".join(failures) or f"{sum(map(len, cases.values()))} cases and {len(shipped) - 1} scenes agree")
sys.exit(1 if failures else 0)
