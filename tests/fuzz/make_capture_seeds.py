#!/usr/bin/env python3
"""Writes tests/fuzz/corpus/capture: make_capture_seeds.py PROGRAM

Each seed is a capture of two steps of a scene of the corpus, unpacked as the capture fuzzer takes it: the byte 1, then for
each zstd frame two bytes of length, the lesser first, and its content. Needs the program zstd.
"""
import pathlib
import struct
import subprocess
import sys
import tempfile

MAGIC = bytes.fromhex("28b52ffd")


def frames(capture):
    """The contents of the frames, which are told apart by their first bytes: good enough for files of our own."""
    starts = [i for i in range(len(capture)) if capture[i:i + 4] == MAGIC] + [len(capture)]
    for begin, end in zip(starts, starts[1:]):
        yield subprocess.run(["zstd", "-dc"], input=capture[begin:end], stdout=subprocess.PIPE, check=True).stdout


def main(program):
    corpus = pathlib.Path(__file__).resolve().parent / "corpus"
    with tempfile.TemporaryDirectory() as folder:
        for scene in sorted((corpus / "scene").glob("*.json")):
            file = pathlib.Path(folder) / "seed.cairn"
            made = subprocess.run([program, "simulate", scene, "--steps", "2", "--capture", file], stderr=subprocess.DEVNULL)
            if made.returncode != 0:
                continue  # one that is there to be refused
            contents = b"".join(struct.pack("<H", len(c)) + c for c in frames(file.read_bytes()))
            (corpus / "capture" / (scene.stem + ".bin")).write_bytes(b"\x01" + contents)


if __name__ == "__main__":
    main(sys.argv[1])
