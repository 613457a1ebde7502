#!/usr/bin/env python3
"""Writes tests/golden/scene_hashes.json anew: update_hashes.py [PROGRAM]...; or compares with it: --check [PROGRAM]...

PROGRAM is a built tests/golden/print_hashes (default: that of build/release). Every program runs every shipped scene for
1000 steps at every thread count asked for (--threads), and all of them must agree before anything is written. What
changed is told scene by scene, with the first step noted at which the motion differs: step 0 is another scene (or another
definition of the hash), a later one another step. To be run after a change that is meant to change scenes or motion.

Exit code: 0 written or equal, 1 something differs, 2 wrong usage or a program that fails.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden" / "scene_hashes.json"


def run(program, threads):
    result = subprocess.run([program, str(threads)], stdout=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"{program} {threads}: ended with {result.returncode}")
    return json.loads(result.stdout)


def changes(old, new):
    """One line for every scene that differs."""
    lines = []
    for name in sorted(old.keys() | new.keys()):
        if name not in new or name not in old:
            lines.append(f"{name}: {'gone' if name not in new else 'new'}")
            continue
        pairs = list(zip(old[name], new[name]))
        first = next((pair for pair in pairs if pair[0] != pair[1]), None)
        if first is None and len(old[name]) == len(new[name]):
            continue
        last = pairs[-1]
        counts = "".join(
            f", {last[0][key]} -> {last[1][key]} {key.replace('_', ' ')}" if last[0][key] != last[1][key] else ""
            for key in ("bodies", "contact_points"))
        where = f"differs from step {first[1]['step']} on" if first else "has other checkpoints"
        lines.append(f"{name}: {where}{' (another scene)' if first and first[1]['step'] == 0 else ''}{counts}")
    return lines


def text_of(hashes):
    scenes = []
    for name in sorted(hashes):
        rows = ",\n".join("    " + json.dumps(row) for row in hashes[name])
        scenes.append(f"  {json.dumps(name)}: [\n{rows}\n  ]")
    return "{\n" + ",\n".join(scenes) + "\n}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = ROOT / "build" / "release" / "tests" / "golden" / "print_hashes"
    parser.add_argument("programs", nargs="*", type=pathlib.Path, default=[default], metavar="PROGRAM")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--threads", default="1,3", help="thread counts, default 1,3")
    arguments = parser.parse_args()
    for program in arguments.programs:
        if not program.is_file():
            print(f"error: {program}: build it first (target print_hashes), or name the program", file=sys.stderr)
            return 2
    runs = [(program, int(count)) for program in arguments.programs for count in arguments.threads.split(",")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        try:
            results = list(pool.map(lambda r: run(*r), runs))
        except (RuntimeError, OSError, ValueError) as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
    golden = json.loads(GOLDEN.read_text()) if GOLDEN.is_file() else {}
    reference = golden if arguments.check else results[0]
    disagree = 0
    for (program, count), result in zip(runs, results):
        found = changes(reference, result)
        disagree += bool(found)
        for line in found:
            print(f"{program}, {count} thread{'s' if count > 1 else ''}: {line}")
    if disagree:
        print(f"error: {disagree} of {len(runs)} runs differ" +
              (f" from {GOLDEN.relative_to(ROOT)}" if arguments.check else "; nothing was written"), file=sys.stderr)
        return 1
    if arguments.check:
        print(f"{len(runs)} runs of {len(golden)} scenes equal {GOLDEN.relative_to(ROOT)}")
        return 0
    found = changes(golden, reference)
    for line in found:
        print(line)
    print(f"{len(reference) - sum(1 for l in found if not l.endswith('gone'))} scenes as before, {len(found)} changed")
    GOLDEN.write_text(text_of(reference))
    return 0


if __name__ == "__main__":
    sys.exit(main())
