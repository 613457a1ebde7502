#!/usr/bin/env python3
"""Measures again what a document's tables show: update_tables.py DOCUMENT [--build FOLDER] [--only WORD] [--list].

A table stands between `<!-- measured: COMMAND -->` and `<!-- end -->`. Each COMMAND is run with the programs of the
build folder (build/bench by default), and its standard output replaces what stands between. `machine` is a command,
too: it names the processor, the compiler, its flags and the libraries. --only takes the commands that contain WORD.
Measure on an idle machine. The document is written once, at the end, and not at all if a command fails.
"""
import argparse
import pathlib
import re
import shlex
import subprocess
import sys

PROGRAMS = {"query_bench": "bench/query_bench", "peers_bench": "bench/peers_bench",
            "textbook_bench": "bench/textbook_bench", "cairn": "cairn", "cairn-bench": "bench/program/cairn-bench"}
BLOCK = re.compile(r"(<!-- measured: (.*?) -->\n).*?(<!-- end -->)", re.S)
LIBRARIES = ("ccd", "bullet", "ode", "benchmark")


def output_of(words):
    """Standard output of a program; what it has to say to people goes to ours."""
    return subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout


def machine(build):
    cache = dict(re.findall(r"^(\w+):\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M))
    model = re.search(r"^model name\s*:\s*(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    kind = cache["CMAKE_BUILD_TYPE"]
    compiler = output_of([cache["CMAKE_CXX_COMPILER"], "--version"]).splitlines()[0]
    flags = " ".join(f"{cache.get('CMAKE_CXX_FLAGS', '')} {cache[f'CMAKE_CXX_FLAGS_{kind.upper()}']}".split())
    libraries = [f"{name} {output_of(['pkg-config', '--modversion', name]).strip()}" for name in LIBRARIES]
    return (f"{model.group(1) if model else 'unknown processor'}; {compiler}, {kind} ({flags}); "
            f"{', '.join(libraries)} as packaged by Debian.\n")


def run(command, build):
    if command == "machine":
        return machine(build)
    program, *arguments = shlex.split(command)
    if program not in PROGRAMS:
        sys.exit(f"error: `{command}` starts with none of: machine, {', '.join(PROGRAMS)}")
    path = build / PROGRAMS[program]
    if not path.is_file():
        sys.exit(f"error: {path} is missing: cmake --preset bench && cmake --build --preset bench")
    return output_of([str(path), *arguments])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("document", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/bench"))
    parser.add_argument("--only", default="", metavar="WORD")
    parser.add_argument("--list", action="store_true", help="name the commands and stop")
    arguments = parser.parse_args()
    text = arguments.document.read_text()
    commands = [match.group(2) for match in BLOCK.finditer(text) if arguments.only in match.group(2)]
    if arguments.list:
        print("\n".join(commands))
        return
    if not commands:
        sys.exit(f"error: {arguments.document} has no table whose command contains '{arguments.only}'")
    tables = {}
    for command in commands:
        print(f"measuring: {command}", file=sys.stderr)
        try:
            tables[command] = run(command, arguments.build)
        except subprocess.CalledProcessError as error:
            sys.exit(f"error: `{command}` ended with exit code {error.returncode}; {arguments.document} stays as it was")

    def replaced(match):
        table = tables.get(match.group(2))
        return match.group() if table is None else f"{match.group(1)}{table.strip()}\n{match.group(3)}"

    arguments.document.write_text(BLOCK.sub(replaced, text))


if __name__ == "__main__":
    main()
