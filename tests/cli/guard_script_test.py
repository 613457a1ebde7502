#!/usr/bin/env python3
"""tools/guard.sh, which the GitHub Action and the container run: what it takes, leaves, and returns."""
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENE = """{"cairn": 1, "bodies": [{"name": "ball", "shape": {"sphere": {"radius": 1}}}],
 "expect": [{"body": "ball", "speed": {"most": %s}, "always": 60}]}"""


class GuardScript(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "my scenes").mkdir()
        (self.folder / "my scenes/good one.json").write_text(SCENE % 20)
        self.assertEqual(self.cairn("simulate", "my scenes/good one.json", "--steps", "5", "--capture",
                                    "my scenes/good one.cairn"), 0)

    def cairn(self, *arguments):
        return subprocess.run([os.environ["CAIRN_PROGRAM"], *arguments], cwd=self.folder, capture_output=True,
                              check=False).returncode

    def guard(self, *arguments):
        return subprocess.run([ROOT / "tools/guard.sh", *arguments], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, "CAIRN": os.environ["CAIRN_PROGRAM"]}, check=False)

    def test_a_folder_is_its_scenes_and_captures(self):
        done = self.guard("--out", "left here", "my scenes")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("good one.json: ok, 1 expectation", done.stdout)
        self.assertIn("good one.cairn: ok, 5 steps", done.stdout)
        self.assertEqual(sorted(path.name for path in (self.folder / "left here").iterdir()),
                         ["test.html", "test.xml", "verify.html", "verify.xml"])

    def test_a_scene_that_fails_does_not_hide_captures(self):
        (self.folder / "bad.json").write_text(SCENE % 1)
        done = self.guard("bad.json", "my scenes/good one.cairn")
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAILED at step", done.stdout)
        self.assertIn("good one.cairn: ok", done.stdout)
        self.assertTrue((self.folder / "guard/bad.failed.cairn").is_file())

    def test_the_greater_exit_code_counts(self):
        (self.folder / "bad.json").write_text(SCENE % 1)
        (self.folder / "broken.cairn").write_bytes(b"no capture")
        self.assertEqual(self.guard("bad.json", "broken.cairn").returncode, 2)

    def test_options_end_where_a_shell_says_so(self):
        (self.folder / "--out").write_text(SCENE % 20)
        done = self.guard("--out", "left", "--", "--out", "my scenes/good one.cairn")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("--out: ok, 1 expectation", done.stdout)

    def test_mistakes_are_usage_errors(self):
        (self.folder / "empty").mkdir()
        for arguments in ([], ["--"], ["--out"], ["empty"]):
            done = self.guard(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertTrue(done.stderr.startswith("error: "), done.stderr)


if __name__ == "__main__":
    unittest.main()
