#!/usr/bin/env python3
"""Checks of the documentation: check_docs.py CHECK FOLDER [PROGRAM] [--write]. Prints FILE:LINE: what is wrong, and
exits 1 if anything is.

links         every link and anchor resolves, every page that a file of the tree names exists, and every page can be
              reached from docs/README.md
pages         pages are short, begin with what they are for, and keep the history of tries in dated sections
keys          every key that the README and the guide name is in docs/reference/keys.md
scenes        docs/guide/scenes.md lists the shipped scenes as they describe themselves; --write lists them anew
commands      every `cairn` command has a verb and options that PROGRAM has, every script that is named exists and has
              its options
examples      every scene that a page shows in full is one that PROGRAM accepts
options       docs/reference/command-line.md lists the options as PROGRAM's help does; --write lists them anew
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import check_sources

MOST_LINES, MOST_README_LINES = 300, 120
HELP_COLUMN = 36  # where the help's descriptions begin
FENCE = re.compile(r"^\s*(```|~~~)")
LINK = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
HTML_LINK = re.compile(r"<(?:img|a|source|video)\b[^>]*?\b(?:src|href|srcset)=\"([^\"]+)\"")
CODE_SPAN = re.compile(r"(`+)(.+?)\1")
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:", re.I)
NAMED_PAGE = re.compile(r"(?<![\w./-])(?:docs/[\w./-]+\.(?:md|png|webp|gif)|(?:README|CONTRIBUTING|CHANGELOG|SECURITY|"
                        r"CODE_OF_CONDUCT)\.md)\b")
DATED = re.compile(r"^## \d{4}-\d\d-\d\d: \S")
KEY_NAMES = (r"(?:F\d{1,2}|Space|Enter|Tab|Esc|Del|Backspace|Insert|Home|End|PageUp|PageDown|Left|Right|Up|Down|"
             r"[A-Z0-9?,.\[\]])")
CHORD = re.compile(rf"(?:Ctrl\+)?(?:Shift\+)?{KEY_NAMES}")


def documents(root):
    """The pages in Markdown, README and the like included."""
    return [path for path in check_sources.tracked_files(root) if path.suffix == ".md"]


def lines_of(path):
    return path.read_text(encoding="utf-8").splitlines()


def prose(path):
    """Lines outside of fenced code, with their numbers; fenced ones come as None."""
    fenced = False
    for number, line in enumerate(lines_of(path), 1):
        if FENCE.match(line):
            fenced = not fenced
            yield number, None
        else:
            yield number, None if fenced else line


def fenced_lines(path):
    fenced = False
    for number, line in enumerate(lines_of(path), 1):
        if FENCE.match(line):
            fenced = not fenced
        elif fenced:
            yield number, line


def slug(heading):
    """The anchor that GitHub gives a heading."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(path):
    found, seen = set(), {}
    for _, line in prose(path):
        if line is None:
            continue
        if match := re.match(r"#{1,6}\s+(.*?)\s*#*$", line):
            name = slug(match.group(1))
            seen[name] = seen.get(name, -1) + 1
            found.add(name if seen[name] == 0 else f"{name}-{seen[name]}")
        found.update(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", line))
    return found


def targets(path):
    """What a page links to, with line numbers; what stands in code links to nothing."""
    for number, line in prose(path):
        if line is not None:
            bare = CODE_SPAN.sub(lambda span: re.sub(r"[()\[\]<>]", " ", span.group()), line)
            for pattern in (LINK, HTML_LINK):
                for match in pattern.finditer(bare):
                    yield number, match.group(1)


def check_links(root, _program, _write):
    reached, links = set(), {}
    for path in documents(root):
        relative = path.relative_to(root)
        for number, target in targets(path):
            if ELSEWHERE.match(target):
                continue
            name, _, anchor = target.partition("#")
            other = (path.parent / name).resolve() if name else path
            if not other.exists():
                yield f"{relative}:{number}: no such file: {target}"
            elif root not in other.parents and other != root:
                yield f"{relative}:{number}: outside of the tree: {target}"
            elif anchor and (other.suffix != ".md" or anchor not in anchors(other)):
                yield f"{relative}:{number}: no such heading: {target}"
            links.setdefault(path, []).append(other)
    index = root / "docs" / "README.md"
    waiting = [index]
    while waiting:
        page = waiting.pop()
        if page not in reached:
            reached.add(page)
            waiting += links.get(page, [])
    for path in documents(root):
        if path.relative_to(root).parts[0] == "docs" and path not in reached:
            yield f"{path.relative_to(root)}:1: no page that docs/README.md leads to links here"
    for path in check_sources.tracked_files(root):
        relative = path.relative_to(root)
        if path.suffix == ".md" or relative.parts[:2] == ("tests", "checks"):
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            for match in NAMED_PAGE.finditer(line):
                if not (root / match.group()).exists():
                    yield f"{relative}:{number}: there is no {match.group()}"


def check_pages(root, _program, _write):
    for path in documents(root):
        relative = path.relative_to(root)
        text = lines_of(path)
        if relative.as_posix() == "README.md" and len(text) > MOST_README_LINES:
            yield f"{relative}:{MOST_README_LINES + 1}: the README has {len(text)} lines, at most {MOST_README_LINES} are wanted"
        if relative.parts[0] != "docs":
            continue
        if len(text) > MOST_LINES:
            yield f"{relative}:{MOST_LINES + 1}: the page has {len(text)} lines, at most {MOST_LINES} are wanted: split it"
        if len(text) < 3 or not text[0].startswith("# ") or text[1] or not re.match(r"[A-Z*`\[]", text[2]):
            yield f"{relative}:1: a page begins with its title, an empty line, and a sentence that says what it is for"
        titles = [number for number, line in prose(path) if line is not None and line.startswith("# ")]
        for number in titles[1:]:
            yield f"{relative}:{number}: a second title; a page is about one thing"
        if relative.parts[1] == "history":
            for number, line in prose(path):
                if line is not None and line.startswith("## ") and not DATED.match(line):
                    yield f"{relative}:{number}: a section of a history begins with its date: ## YYYY-MM-DD: subject"


def check_keys(root, _program, _write):
    page = root / "docs" / "reference" / "keys.md"
    known = set()
    for _, line in prose(page):
        if line is not None and line.startswith("|"):
            known.update(span for _, span in CODE_SPAN.findall(line.split("|")[1]))
    if not known:
        yield f"{page.relative_to(root)}:1: no table of keys"
    for path in documents(root):
        relative = path.relative_to(root)
        if relative.as_posix() != "README.md" and relative.parts[:2] != ("docs", "guide"):
            continue
        for number, line in prose(path):
            for _, span in CODE_SPAN.findall(line or ""):
                if CHORD.fullmatch(span) and span not in known:
                    yield f"{relative}:{number}: no such key: {span}"


def with_block(path, name, text, write):
    """Compares what stands between <!-- name --> and <!-- end --> with `text`, or writes it there."""
    page = path.read_text(encoding="utf-8")
    start, end = f"<!-- {name} -->\n", "<!-- end -->"
    if start not in page or end not in page.split(start, 1)[1]:
        return f"there is no part <!-- {name} --> ... <!-- end -->"
    before, rest = page.split(start, 1)
    found, after = rest.split(end, 1)
    if found == text:
        return None
    if write:
        path.write_text(before + start + text + end + after, encoding="utf-8")
        return None
    return f"the part <!-- {name} --> is not what it should be; write it anew with --write"


def scene_table(root):
    """The shipped scenes, with what they say of themselves. Comments are left out line by line, as our own files have them."""
    rows = ["| scene | what happens |", "|---|---|"]
    for path in sorted((root / "scenes").glob("*.json")):
        if path.name == "scene.schema.json":
            continue
        text = "\n".join(line for line in path.read_text(encoding="utf-8").splitlines() if not line.strip().startswith("//"))
        scene = json.loads(text)
        rows.append(f"| `{path.stem}` | {scene['description'].splitlines()[0]} |")
    return "\n".join(rows) + "\n"


def check_scenes(root, _program, write):
    page = root / "docs" / "guide" / "scenes.md"
    if problem := with_block(page, "scenes", scene_table(root), write):
        yield f"{page.relative_to(root)}:1: {problem}"


def output_of(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


class Options:
    """What the program's help lists: verbs, and the options of each; '' is the program itself."""

    def __init__(self, program):
        self.program = program
        top = output_of(program, "--help")
        listed = re.findall(r"^  ([a-z]+) ", re.split("subcommands:", top, maxsplit=1, flags=re.I)[1], re.M)
        self.verbs = [verb for verb in listed if verb != "help"]  # which prints the help of the others
        self.help = {"": top, **{verb: output_of(program, verb, "--help") for verb in self.verbs}}

    def of(self, verb):
        return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", self.listing(verb)))

    def listing(self, verb):
        """The part of the help that lists options, one a line."""
        text = re.split(r"^options:", self.help[verb], maxsplit=1, flags=re.I | re.M)[1]
        return re.split(r"^\S", text, maxsplit=1, flags=re.M)[0]

    def table(self, verb):
        rows = []
        lines = self.listing(verb).splitlines()
        for line, following in zip(lines, lines[1:] + [""]):
            if line.startswith(" " * HELP_COLUMN) and rows:
                rows[-1][1] = (rows[-1][1] + " " + line.strip()).strip()
            elif line.startswith("  -"):
                whole = len(line) <= HELP_COLUMN or following.startswith(" " * HELP_COLUMN)
                rows.append([line.strip(), ""] if whole else [line[:HELP_COLUMN].strip(), line[HELP_COLUMN:].strip()])
        table = "| option | meaning |\n|---|---|\n"
        for names, text in rows:
            if names.startswith("-h,"):
                continue
            names = re.sub(r" (REQUIRED|Needs:.*|Excludes:.*)$", "", names)
            names = re.sub(r" (REQUIRED|Needs:.*|Excludes:.*)$", "", names).removesuffix(" ...")
            notes = []
            default = re.search(r"=([\w .]+)$", names)
            if default and not default.group(1).isupper():
                names = names[:default.start()]
                notes.append(f"default {default.group(1)}")
            if interval := re.search(r":[A-Z]+ in \[(.*?) - (.*?)\]$", names):
                names = names[:interval.start()]
                if len(interval.group(2)) < 8:
                    notes.insert(0, f"{interval.group(1)} to {interval.group(2)}")
            if choice := re.search(r":\{(.*?)\}$", names):
                names = names[:choice.start()]
                notes.insert(0, choice.group(1).replace(",", ", "))
            text += f" ({', '.join(notes)})" if notes else ""
            names = re.sub(r":[A-Z]+$", "", names)
            table += f"| `{names}` | {text.replace('|', chr(92) + '|')} |\n"
        return table if table.count("\n") > 2 else "No options.\n"


def pieces(line):
    """A shell line without its comment, cut at what joins commands."""
    line = re.sub(r"(^|\s)#.*$", "", line)
    return [piece.strip() for piece in re.split(r"\||&&|;|\$\(", line) if piece.strip()]


def commands_in(path):
    """Command lines in fenced code, and in code spans of the text, with line numbers."""
    whole = ""
    for number, line in fenced_lines(path):
        whole += line
        if whole.endswith("\\"):
            whole = whole[:-1] + " "
            continue
        for piece in pieces(whole):
            yield number, piece
        whole = ""
    for number, line in prose(path):
        for _, span in CODE_SPAN.findall(line or ""):
            for piece in pieces(span):
                yield number, piece


def check_commands(root, program, _write):
    options = Options(program)
    scripts = {}
    count = 0
    for path in documents(root):
        relative = path.relative_to(root)
        for number, command in commands_in(path):
            words = [word.strip("[](),\"'") for word in command.split()]
            while words and (re.fullmatch(r"[A-Z_][A-Z0-9_]*=\S*", words[0]) or words[0] in ("$", "time", "/usr/bin/time", "exec")):
                words = words[1:]
            if not words:
                continue
            first = words[0]
            script = first.removeprefix("./")
            if first == "cairn" or first.endswith("/cairn") or first == "./run.sh":
                if len(words) < 2:
                    continue
                count += 1
                verb = words[1] if words[1] in options.verbs else ""
                if not verb and re.fullmatch(r"[a-z]+", words[1]) and not (root / "scenes" / f"{words[1]}.json").exists():
                    yield f"{relative}:{number}: no such verb or scene: cairn {words[1]}"
                known = options.of(verb) | {"--help"}
                for flag in re.findall(r"(?<![\w-])--[a-z][a-z-]*", command):
                    if flag not in known:
                        yield f"{relative}:{number}: cairn {verb or '[FILE]'} has no option {flag}"
            elif first.startswith("./") or re.match(r"(?:tools|tests|cmake|\.ci)/[\w/.-]*\w$", script):
                if not (root / script).exists():
                    yield f"{relative}:{number}: there is no {script}"
                elif script == "test.sh":
                    count += 1
                    if script not in scripts:
                        scripts[script] = output_of(str(root / script), "--help")
                    for flag in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", command.split(" -- ")[0]):
                        if flag not in scripts[script] and flag != "--help":
                            yield f"{relative}:{number}: {script} has no option {flag}"
    if count < 10:
        yield f"README.md:1: only {count} commands were found, so that this check sees nothing"


def scene_examples(path):
    """Scenes in fenced code, with the numbers of their first lines."""
    begin, lines = 0, []
    for number, line in enumerate(lines_of(path), 1):
        if FENCE.match(line):
            if begin and lines and lines[0].strip() == "{" and any('"cairn": 1' in text for text in lines):
                yield begin, "\n".join(lines) + "\n"
            begin, lines = (0, []) if begin else (number + 1, [])
        elif begin:
            lines.append(line)


def check_examples(root, program, _write):
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        scenes = pathlib.Path(folder)
        if (root / "scenes" / "parts").exists(): # that examples include
            shutil.copytree(root / "scenes" / "parts", scenes / "parts")
        for path in documents(root):
            for number, text in scene_examples(path):
                count += 1
                (scenes / "example.json").write_text(text, encoding="utf-8")
                told = subprocess.run([program, "check", str(scenes / "example.json")], capture_output=True, text=True, check=False)
                if told.returncode != 0:
                    said = (told.stderr or told.stdout).strip().replace(str(scenes) + "/", "")
                    yield f"{path.relative_to(root)}:{number}: this is no scene: {said}"
    if count == 0:
        yield "README.md:1: no scene is shown anywhere, so that this check sees nothing"


def check_options(root, program, write):
    folder = root / "docs" / "reference"
    options = Options(program)
    for verb in ["", *options.verbs]:
        name = f"options of cairn {verb}".strip()
        holders = [page for page in sorted(folder.glob("*.md")) if f"<!-- {name} -->" in page.read_text(encoding="utf-8")]
        page = holders[0] if holders else folder / "command-line.md"
        if problem := with_block(page, name, options.table(verb), write):
            yield f"{page.relative_to(root)}:1: {problem}"


CHECKS = {"links": check_links, "pages": check_pages, "keys": check_keys, "scenes": check_scenes, "commands": check_commands,
          "examples": check_examples, "options": check_options}


def main():
    words = [word for word in sys.argv[1:] if word != "--write"]
    needs_program = bool(words) and words[0] in ("commands", "examples", "options")
    if not words or words[0] not in CHECKS or len(words) != 2 + needs_program:
        sys.exit(__doc__)
    problems = list(CHECKS[words[0]](pathlib.Path(words[1]).resolve(), words[2] if needs_program else None,
                                     "--write" in sys.argv))
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
