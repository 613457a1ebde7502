#!/usr/bin/env python3
"""The checks of check_docs.py must find planted faults, and must not find what is allowed."""
import pathlib
import tempfile
import unittest

import check_docs

# Stands in for the program: it has a verb `simulate` and a few options, and prints its help as ours does.
PROGRAM = """#!/bin/sh
if [ "$1" = check ]; then
    grep -q frictoin "$2" && echo "error: $2:3:4: unknown key" >&2 && exit 2
    exit 0
elif [ "$1" = simulate ]; then
    printf 'Run a scene\\nOptions:\\n  -h,--help                         Help\\n  --steps N:UINT in [0 - 1000]      Steps to take\\n'
    printf '  --trace F.csv                     Every body\\n\\nExit codes: 0\\n'
else
    printf 'Cairn\\n\\nOptions:\\n  -h,--help                         Help\\n  --at N                            A step\\n\\nSubcommands:\\n'
    printf '  simulate                          Run a scene\\n\\nExit codes: 0\\n'
fi
"""


class CheckDocsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        self.program = str(self.root / "build" / "program")
        self.write("build/program", PROGRAM)
        (self.root / "build" / "program").chmod(0o755)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def problems(self, check, write=False):
        found = list(check_docs.CHECKS[check](self.root, self.program, write))
        return [problem.split(": ")[0] for problem in found]

    def test_links_that_lead_nowhere_are_found(self):
        self.write("docs/README.md", "# Index\n\n[a](guide/a.md), [b](guide/a.md#second-part), [c](#index), [d](https://x.org/y)\n"
                                     "[gone](gone.md)\n[part](guide/a.md#third-part)\n![picture](images/x.png)\n"
                                     "`[code](gone.md)`\n```\n[fenced](gone.md)\n```\n<img src=\"images/y.png\">\n[own](#nothing)\n")
        self.write("docs/guide/a.md", "# A\n\nFor this.\n\n## Second `part`\n")
        self.assertEqual(self.problems("links"),
                         ["docs/README.md:4", "docs/README.md:5", "docs/README.md:6", "docs/README.md:11", "docs/README.md:12"])

    def test_pages_that_nothing_leads_to_and_pages_that_are_not_there_are_found(self):
        self.write("docs/README.md", "# Index\n\n[a](a.md)\n")
        self.write("docs/a.md", "# A\n\nFor this.\n")
        self.write("docs/lost.md", "# Lost\n\nFor that.\n")
        self.write("physics/a.h", "// See docs/a.md.\n// See docs/b.md.\n// See docs/guide/joints.md\n")
        self.write("run.sh", "# docs/a.md\n# README.md\n")
        self.assertEqual(self.problems("links"), ["docs/lost.md:1", "physics/a.h:2", "physics/a.h:3", "run.sh:2"])

    def test_the_shape_of_pages_is_held(self):
        self.write("README.md", "line\n" * 121)
        self.write("docs/good.md", "# Good\n\nThis page is for this.\n\n```\n# no title\n```\n")
        self.write("docs/long.md", "# Long\n\nFor this.\n" + "line\n" * 298)
        self.write("docs/table.md", "# Table\n\n| a | b |\n|---|---|\n")
        self.write("docs/two.md", "# One\n\nFor this.\n\n# Two\n")
        self.write("docs/history/a.md", "# A\n\nFor this.\n\n## 2026-11-21: tried\n\n## tried, too\n")
        self.assertEqual(sorted(self.problems("pages")),
                         ["README.md:121", "docs/history/a.md:7", "docs/long.md:301", "docs/table.md:1", "docs/two.md:5"])

    def test_unknown_keys_are_found(self):
        self.write("docs/reference/keys.md", "# Keys\n\n| key | action |\n|---|---|\n| `P` | Pause |\n| `Ctrl+Z`, `Esc` | Undo |\n")
        self.write("README.md", "Press `P`, `Ctrl+Z` or `Esc`.\nPress `F9`.\n`--step` and `name` are no keys.\n")
        self.write("docs/guide/a.md", "`Shift+P`\n```\n`Q`\n```\n")
        self.write("docs/how/a.md", "bodies `A` and `B`\n")
        self.assertEqual(sorted(self.problems("keys")), ["README.md:2", "docs/guide/a.md:1"])
        self.write("docs/reference/keys.md", "# Keys\n\nNone.\n")
        self.assertIn("docs/reference/keys.md:1", self.problems("keys"))

    def test_the_list_of_scenes_is_held_and_written(self):
        self.write("scenes/one.json", '{\n  // a comment\n  "cairn": 1, "description": "One thing.\\nMore."\n}\n')
        self.write("docs/guide/scenes.md", "# Scenes\n\n<!-- scenes -->\n<!-- end -->\n\nRest.\n")
        self.assertEqual(self.problems("scenes"), ["docs/guide/scenes.md:1"])
        self.assertEqual(self.problems("scenes", write=True), [])
        self.assertEqual(self.problems("scenes"), [])
        self.assertEqual((self.root / "docs/guide/scenes.md").read_text(),
                         "# Scenes\n\n<!-- scenes -->\n| scene | what happens |\n|---|---|\n| `one` | One thing. |\n"
                         "<!-- end -->\n\nRest.\n")
        self.write("scenes/two.json", '{"cairn": 1, "description": "Two."}\n')
        self.assertEqual(self.problems("scenes"), ["docs/guide/scenes.md:1"])

    def test_commands_that_the_program_does_not_have_are_found(self):
        self.write("scenes/tower.json", "{}")
        self.write("tools/there.py", "")
        self.write("README.md",
                   "```\n" + "cairn simulate SCENE --steps N [--trace F.csv]\n" * 10
                   + "cairn simulate SCENE --step N\ncairn stimulate SCENE\ncairn tower --at 3\ncairn SCENE --steps 3\n"
                     "./run.sh tower --at 5\n./run.sh tower --on 5\nA=1 build/release/cairn simulate x --steps 3 # --not\n```\n"
                     "`cairn simulate --traces`, `tools/there.py` and `tools/gone.py x`\n")
        self.assertEqual(self.problems("commands"), ["README.md:12", "README.md:13", "README.md:15", "README.md:17", "README.md:20",
                                                     "README.md:20"])

    def test_a_check_of_commands_that_sees_none_fails(self):
        self.write("README.md", "Nothing.\n")
        self.assertEqual(self.problems("commands"), ["README.md:1"])

    def test_scenes_that_are_none_are_found(self):
        good = "```jsonc\n{\n  \"cairn\": 1, \"bodies\": []\n}\n```\n"
        self.write("README.md", "# A\n" + good + "```\n{\"cairn\": 1 in a line}\n```\n")
        self.assertEqual(self.problems("examples"), [])
        self.write("docs/a.md", good + good.replace("bodies", "frictoin"))
        self.assertEqual(self.problems("examples"), ["docs/a.md:7"])
        self.write("README.md", "Nothing.\n")
        self.write("docs/a.md", "Nothing.\n")
        self.assertEqual(self.problems("examples"), ["README.md:1"])

    def test_the_lists_of_options_are_held_and_written(self):
        self.write("docs/reference/command-line.md", "# Command line\n\n<!-- options of cairn -->\n<!-- end -->\n"
                                                     "<!-- options of cairn simulate -->\n<!-- end -->\n")
        self.assertEqual(self.problems("options"), ["docs/reference/command-line.md:1"] * 2)
        self.assertEqual(self.problems("options", write=True), [])
        text = (self.root / "docs/reference/command-line.md").read_text()
        self.assertIn("| `--steps N` | Steps to take (0 to 1000) |\n", text)
        self.assertIn("| `--trace F.csv` | Every body |\n", text)
        self.write("docs/reference/command-line.md", text.replace("Every body", "Any body"))
        self.assertEqual(self.problems("options"), ["docs/reference/command-line.md:1"])


if __name__ == "__main__":
    unittest.main()
