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


def program_takes(paths):
    """Whether it takes each of the files. One start serves them all: every one gets a line of its own."""
    run = subprocess.run([program, "check", *map(str, paths)], capture_output=True, text=True, check=False)
    taken, refused = set(run.stdout.splitlines()), run.stderr.splitlines()
    answers = []
    for path in paths:
        good = sum(re.fullmatch(re.escape(str(path)) + r": ok, \d+ bod(y|ies)", line) is not None for line in taken)
        bad = sum(line.startswith(f"error: {path}:") for line in refused)
        if good + bad != 1:
            failures.append(f"{path.name}: {good} times taken, {bad} times refused")
        answers.append(good == 1)
    if len(taken) + len(refused) != len(paths) or run.returncode != (2 if refused else 0):
        failures.append(f"exit code {run.returncode} for {len(taken)} files taken and {len(refused)} refused: {run.stderr}")
    return answers


def without_comments(text):
    """Comments stand outside strings."""
    pattern = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
    return pattern.sub(lambda match: match.group(1) or " ", text)


def expect(what, who, takes, wanted):
    if takes != wanted:
        failures.append(f"{what}: {who} {'takes' if takes else 'refuses'} it")


cases = json.loads((root / "tests/cli/scene_cases.json").read_text())
with tempfile.TemporaryDirectory() as folder:
    for group, program_wanted, schema_wanted in (
        ("bad", False, False),
        ("bad_beyond_a_schema", False, True),  # references, and sums over several numbers
        ("good", True, True),
    ):
        paths = [pathlib.Path(folder) / f"{group}_{number}.json" for number in range(len(cases[group]))]
        for path, case in zip(paths, cases[group]):
            path.write_text(json.dumps(case["scene"]))
        for case, taken in zip(cases[group], program_takes(paths)):
            expect(case["what"], "the program", taken, program_wanted)
            expect(case["what"], "the schema", validator.is_valid(case["scene"]), schema_wanted)

shipped = [path for path in sorted((root / "scenes").glob("*.json")) if path.name != "scene.schema.json"]
for path, taken in zip(shipped, program_takes(shipped)):
    expect(path.name, "the program", taken, True)
    for error in validator.iter_errors(json.loads(without_comments(path.read_text()))):
        failures.append(f"{path.name}: the schema refuses it: {error.message} at {list(error.path)}")

print("\n".join(failures) or f"{sum(map(len, cases.values()))} cases and {len(shipped)} scenes agree")
sys.exit(1 if failures else 0)
