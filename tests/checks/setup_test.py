#!/usr/bin/env python3
"""What run.sh and test.sh show while they install and build: cmake/setup.sh with stand-ins for ninja and apt-get."""
import os
import pathlib
import pty
import subprocess
import tempfile
import threading
import unittest

SETUP = pathlib.Path(__file__).resolve().parent.parent.parent / "cmake/setup.sh"


class Setup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "bin").mkdir()
        (self.folder / "cmake/packages").mkdir(parents=True)
        (self.folder / "cmake/packages/build.txt").write_text("# a comment\nno-such-package-a\nno-such-package-b\n")

    def stand_in(self, name, script):
        path = self.folder / "bin" / name
        path.write_text("#!/bin/bash\n" + script)
        path.chmod(0o755)

    def run_bash(self, script, terminal=False, path=None):
        """The exit code and what came to standard error."""
        environment = {"PATH": path or f"{self.folder / 'bin'}:{os.environ['PATH']}", "COLUMNS": "100", "HOME": str(self.folder)}
        command = ["/bin/bash", "-c", f"source_dir={self.folder}; . {SETUP}; {script}"]
        if not terminal:
            done = subprocess.run(command, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
            return done.returncode, done.stderr
        # Our own end mark, written once the command has ended: what a terminal still holds can be lost when its last
        # writer closes it.
        ours, theirs = pty.openpty()
        process = subprocess.Popen(command, env=environment, stderr=theirs, stdin=subprocess.DEVNULL)
        text = b""
        ended = threading.Thread(target=lambda: (process.wait(), os.write(theirs, b"\x04")))
        ended.start()
        while not text.endswith(b"\x04"):
            text += os.read(ours, 4096)
        ended.join()
        os.close(ours)
        os.close(theirs)
        return process.returncode, text[:-1].decode()

    def test_a_build_says_how_far_it_is(self):
        self.stand_in("ninja", "for i in 1 2 3 4; do echo \"[$i/4] Building something\"; done\n")
        code, text = self.run_bash("build release cairn", terminal=True)
        self.assertEqual(code, 0)
        for part in ("building release: 25 % (1 of 4)", "building release: 100 % (4 of 4)"):
            self.assertIn(part, text)
        self.assertEqual(self.run_bash("build release cairn"), (0, ""))

    def test_how_long_the_rest_takes(self):
        for arguments, wanted in (("release 50 200 60", "25 % (50 of 200), about 3 min left"),
                                  ("release 150 200 60", "75 % (150 of 200), about 20 s left"),
                                  ("release 4 200 60", "2 % (4 of 200)\r"),
                                  ("release 50 200 2", "25 % (50 of 200)\r"),
                                  ("release 200 200 60", "100 % (200 of 200)\r")):
            _, text = self.run_bash(f"build_progress {arguments}; printf '\\r' >&2", terminal=True)
            self.assertIn(wanted, text, arguments)

    def test_errors_of_a_build_are_shown_whole(self):
        error = "".join(f"a.cpp:{i}:1: error: number {i}, {'x' * 300}\n" for i in range(200))
        (self.folder / "error.txt").write_text(error)
        self.stand_in("ninja", f"echo '[1/4] Building a'; cat {self.folder}/error.txt; echo 'ninja: build stopped'; exit 1\n")
        code, text = self.run_bash("build release cairn")
        self.assertEqual(code, 1)
        self.assertEqual(text, error + "ninja: build stopped\n")

    def test_packages_that_cannot_be_installed_are_named(self):
        self.stand_in("dpkg-query", "exit 1\n")
        self.stand_in("sudo", "shift 0; exec \"$@\"\n")
        self.stand_in("apt-get", "echo 'E: no network' ; exit 100\n")
        code, text = self.run_bash("ensure_packages build")
        self.assertEqual(code, 3)
        self.assertIn("no-such-package-a no-such-package-b\n", text)
        self.assertTrue("could not install" in text or "no right to install" in text, text)

    def test_other_systems_are_told_the_names_and_what_to_set(self):
        # A path without apt-get, as another system has it.
        code, text = self.run_bash("ensure_packages build", path=str(self.folder / "bin"))
        self.assertEqual(code, 3)
        self.assertIn("CAIRN_SKIP_PACKAGES=1", text)
        self.assertIn("no-such-package-a no-such-package-b", text)
        self.assertEqual(self.run_bash("CAIRN_SKIP_PACKAGES=1; ensure_packages build", path=str(self.folder / "bin")), (0, ""))


if __name__ == "__main__":
    unittest.main()
