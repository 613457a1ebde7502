#!/usr/bin/env python3
"""Captures that are small as files and large, or nonsense, inside: each is refused or read, and the program never takes
more than twice the memory of what is right in them. Needs the program zstd."""

import itertools
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["CAIRN_PROGRAM"]
MAGIC = bytes.fromhex("28b52ffd")
MIB = 1 << 20
LARGE = 24 * MIB  # of content: far above the noise, soon done
NOISE = 8 * MIB   # that the program may take beside


def head(major, number):
    if number < 24:
        return bytes([major << 5 | number])
    size = next(size for size in range(4) if number < 1 << (8 << size))
    return bytes([major << 5 | 24 + size]) + number.to_bytes(1 << size, "big")


def text(value):
    return head(3, len(value)) + value.encode()


def array(items):
    return head(4, items)


def pairs(count):
    return head(5, count)


def numbers(*values):
    return array(len(values)) + b"".join(b"\xfa" + struct.pack(">f", value) for value in values)


def command(name, members=b"", count=0):
    return pairs(1) + text(name) + pairs(count) + members


def step(number, commands=array(0)):
    return (array(2) + text("step") + pairs(4) + text("step") + head(0, number) + text("commands") + commands +
            text("hash") + head(0, 0) + text("digest") + b"\xf6")


class Many:
    """A piece over and over again, about so many bytes in all, without ever being there as a whole."""

    def __init__(self, piece, size):
        self.block = piece * max(1, MIB // len(piece))
        self.blocks = max(1, size // len(self.block))
        self.count = self.blocks * (len(self.block) // len(piece))

    def __iter__(self):
        return iter([self.block] * self.blocks)


class HostileCaptures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        scene = cls.folder / "scene.json"
        scene.write_text('{"cairn": 1, "bodies": [{"shape": {"sphere": {"radius": 1}}}]}')
        good = cls.folder / "good.cairn"
        subprocess.run([PROGRAM, "simulate", scene, "--steps", "2", "--capture", good], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        data = good.read_bytes()
        first = data[:data.index(MAGIC, 1)]
        cls.header = subprocess.run(["zstd", "-dc"], input=first, stdout=subprocess.PIPE, check=True).stdout
        cls.idle, code, _ = cls.verified(good)
        assert code == 0

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def verified(cls, path):
        """The most memory that `cairn verify` had at a time (bytes), its exit code, and what it said. The system counts
        it from this process on, which has to stay small itself."""
        said = cls.folder / "said"
        redirections = [(os.POSIX_SPAWN_OPEN, 1, said, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o644),
                        (os.POSIX_SPAWN_DUP2, 1, 2)]
        child = os.posix_spawn(PROGRAM, [PROGRAM, "verify", path], os.environ, file_actions=redirections)
        _, status, usage = os.wait4(child, 0)
        return usage.ru_maxrss << 10, os.waitstatus_to_exitcode(status), said.read_text()

    def check(self, frames, code, words, right=None):
        """`right`: bytes of content before what is wrong; none: all of it is right."""
        path, content = self.folder / "hostile.cairn", 0
        with open(path, "wb") as file:
            for frame in frames:
                pack = subprocess.Popen(["zstd", "-cq"], stdin=subprocess.PIPE, stdout=file)
                for part in frame:
                    pack.stdin.write(part)
                    content += len(part)
                pack.stdin.close()
                self.assertEqual(pack.wait(), 0)
        most, found, said = self.verified(path)
        self.assertEqual(found, code, said)
        self.assertIn(words, said)
        if right is None:
            self.assertGreater(content, 8 * NOISE // 3, "too little to be seen")
        allowed = self.idle + 2 * (content if right is None else right) + NOISE
        self.assertLess(most, allowed, f"{(most - self.idle) / MIB:.0f} MiB for {content / MIB:.0f} MiB: {said}")

    def with_member(self, name, *value):
        """The header, in which everything from this member of the scene on is something else."""
        return [self.header[:self.header.rindex(text(name)) + len(text(name))], *value]

    def test_bombs_of_zeros(self):
        zeros = Many(bytes(MIB), 4 * LARGE)
        self.check([zeros], 2, "damaged at byte 0", right=0)
        self.check([[self.header], zeros], 2, "damaged at byte", right=0)
        self.check([[self.header], [step(1)], zeros], 2, "damaged at byte", right=0)
        self.check([self.with_member("bodies", array(1 << 20), *zeros)], 2, "damaged at byte 0", right=0)

    def test_more_is_announced_than_there_is(self):
        for member in ("point_sets", "bodies", "joints"):
            self.check([self.with_member(member, array(10 ** 9))], 2, "more items than", right=0)
        self.check([self.with_member("point_sets", array(1), array(3 * 10 ** 7))], 2, "damaged at byte 0", right=0)
        self.check([self.with_member("description", head(3, 1 << 62))], 2, "ends too early", right=0)
        self.check([[self.header], [step(1, array(1 << 40))]], 2, "more items than", right=0)

    def test_point_sets_that_nobody_uses(self):
        empty = Many(array(0), LARGE)
        self.check([self.with_member("point_sets", array(empty.count), *empty)], 2, "without points", right=0)
        for count in (3, 12):
            small = Many(numbers(*[1.0] * count), LARGE)
            self.check([self.with_member("point_sets", array(small.count), *small)], 2, "damaged at byte 0")

    def test_a_long_text(self):
        letters = Many(b"x" * MIB, LARGE)
        self.check([self.with_member("description", head(3, letters.count * MIB), *letters)], 2, "damaged at byte 0")

    def test_many_steps(self):
        each = 20000

        def some(first):
            return b"".join(step(number) for number in range(first, first + each))
        count = LARGE // len(some(10 ** 6))
        self.check([[self.header], (some(1 + i * each) for i in range(count))], 1, "step 1")
        single = ([some(1 + i * each)] for i in range(count))
        self.check(itertools.chain([[self.header]], single), 1, "step 1")

    def test_many_commands_in_a_step(self):
        nobody = text("body") + array(2) + head(0, 7) + head(0, 0)
        for one in (command("release_grab"), command("destroy_body", nobody, 1),
                    command("move_grab", text("target") + numbers(1, 2, 3), 1)):
            all_of_them = Many(one, LARGE)
            before, after = step(1).split(text("commands") + array(0))
            self.check([[self.header], [before, text("commands"), array(all_of_them.count), *all_of_them, after]], 1,
                       "step 1")

    def test_a_keyframe_of_many_kinds(self):
        settings = self.header[self.header.index(text("settings")):self.header.index(text("camera"))]
        before = array(2) + text("keyframe") + pairs(8) + text("step") + head(0, 1) + text("time_bits") + head(0, 0)
        kinds = Many(pairs(1) + text("scene_body") + head(0, 0), LARGE)
        # It is looked into once the step before it differs.
        self.check([[self.header], [step(1)], [before, settings, text("kinds"), array(kinds.count), *kinds]], 2,
                   "damaged at byte")
        self.check([[self.header], [step(1)], [before, settings, text("kinds"), *Many(bytes(MIB), 4 * LARGE)]], 2,
                   "damaged at byte", right=0)


if __name__ == "__main__":
    unittest.main()
