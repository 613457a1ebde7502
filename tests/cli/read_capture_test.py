"""tools/read_capture.py knows captures from their description alone; here it is held to what Cairn itself says."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CAIRN = os.environ["CAIRN_PROGRAM"]


def read(path, *options):
    run = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "read_capture.py"), path, *options],
                         capture_output=True, text=True, check=False)
    return run.returncode, [json.loads(line) for line in run.stdout.splitlines()], run.stderr


class ReadCapture(unittest.TestCase):
    def test_shipped_captures_are_read(self):
        folder = os.path.join(ROOT, "tests", "captures")
        for name in ("duel", "wrecking_ball", "sandbox"):
            code, records, errors = read(os.path.join(folder, name + ".cairn"), "--bare")
            self.assertEqual((code, errors), (0, ""), name)
            self.assertEqual([r["record"] for r in records[:2]], ["header", "step"])
            steps = [r for r in records if r["record"] == "step"]
            self.assertEqual([r["step"] for r in steps], list(range(1, len(steps) + 1)))
            self.assertEqual(records[-1], {"record": "end", "steps": len(steps)})
            self.assertTrue(any(r["record"] == "keyframe" for r in records))

    def test_states_and_hashes_are_those_of_the_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            capture, trace = os.path.join(folder, "a.cairn"), os.path.join(folder, "a.csv")
            stats = os.path.join(folder, "a.json")
            subprocess.run([CAIRN, "simulate", "builtin:wrecking_ball", "--steps", "150", "--capture", capture, "--trace", trace,
                            "--stats", stats], check=True, capture_output=True)
            code, records, _ = read(capture)
            self.assertEqual(code, 0)
            with open(stats, encoding="utf-8") as file:
                self.assertEqual([r for r in records if r["record"] == "step"][-1]["hash"], json.load(file)["hash"])
            with open(trace, encoding="utf-8") as file:
                rows = [line.split(",") for line in file.read().splitlines()[1:]]
            keyframes = [r for r in records if r["record"] == "keyframe"]
            self.assertGreaterEqual(len(keyframes), 2)
            compared = 0
            for keyframe in keyframes:
                columns = keyframe["columns"]
                self.assertAlmostEqual(keyframe["time"], keyframe["step"] / 60, places=6)
                self.assertEqual(sum(columns["pair_points"]), len(columns["point_age"]))
                for row in rows:
                    if int(row[0]) == keyframe["step"]:
                        body = int(row[2])
                        for i in range(3):  # the trace has the shortest text that reads back to the same float
                            self.assertAlmostEqual(columns["body_position"][body][i], float(row[3 + i]),
                                                   delta=1e-6 * (1 + abs(float(row[3 + i]))))
                        compared += 1
            self.assertGreater(compared, 50)

    def test_what_is_no_capture_is_refused_in_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.cairn")
            with open(path, "w", encoding="utf-8") as file:
                file.write("no capture")
            code, records, errors = read(path)
            self.assertEqual((code, records, errors.count("\n")), (2, [], 1))
            with open(os.path.join(ROOT, "tests", "captures", "duel.cairn"), "rb") as file:
                whole = file.read()
            with open(path, "wb") as file:
                file.write(whole[:len(whole) // 2])
            code, records, errors = read(path, "--bare")
            self.assertEqual(code, 1, errors)
            self.assertEqual(records[0]["record"], "header")
            self.assertIn("never finished", errors)


if __name__ == "__main__":
    unittest.main()
