#!/usr/bin/env python3
"""Prints a capture (.cairn) as JSON lines: the header, steps, surfaces, keyframes and the end, in the order of the file.

    tools/read_capture.py FILE [--bare]       --bare leaves out scenes, commands and the columns of keyframes

Needs Python alone and the `zstd` program. It goes by docs/reference/capture-format.md and by nothing else, so that the page is
known to be enough. Hashes are 16 hexadecimal digits, as Cairn prints them. What is wrong is told in one line; the exit
code is then 2, and 1 for a file that was never finished, after what is whole.
"""

import argparse
import json
import math
import struct
import subprocess
import sys

ELEMENTS = {  # type and numbers of one element of a column; what is not here is one uint32
    "body_flags": "B", "body_rest": "Q", "shape_queued": "B", "pair_flags": "B", "pair_points": "B",
    "contact_flags": "B", "point_age": "H", "column_fineness": "B", "settling_steps": "B", "joint_alive": "B",
    "body_position": "3f", "body_orientation": "4f", "body_linear_velocity": "3f", "body_angular_velocity": "3f",
    "body_quiet_time": "f", "body_margin": "f", "body_fitted": "f", "body_drift": "f", "body_way": "3f",
    "body_lift": "f", "body_trace_margin": "f", "shape_margin": "f", "shape_reach": "6f", "shape_fat": "6f",
    "pair_gap": "f", "pair_axis": "3f", "pair_axis_in_b": "3f", "contact_normal": "3f", "contact_friction": "f",
    "contact_restitution": "f", "contact_centre_a": "3f", "contact_centre_b": "3f", "contact_rolling_arm": "f",
    "contact_rolling_impulse": "3f", "contact_round_a": "f", "contact_round_b": "f", "contact_tolerance": "f",
    "contact_asked": "f", "contact_radius": "f", "contact_found_position": "3f", "contact_found_orientation": "4f",
    "contact_local_normal": "3f", "contact_loaded_inverse_mass": "f", "loads": "f", "point_anchor": "3f", "point_local_a": "3f", "point_local_b": "3f",
    "point_separation": "f", "point_normal_impulse": "f", "point_friction_impulse": "3f", "point_take_up": "f",
    "point_step_normal": "f", "point_step_friction": "3f", "joint_position": "f", "joint_rigid": "6f",
    "joint_motor": "f", "joint_spring": "f", "joint_lower": "f", "joint_upper": "f", "joint_cone": "f",
    "joint_soft_block": "3f", "joint_brake": "3f", "joint_force": "3f", "joint_torque": "3f",
}


class Damage(Exception):
    pass


class Cbor:
    """The part of RFC 8949 that captures are made of."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if self.at + count > len(self.data):
            raise Damage("the record ends too early")
        piece = self.data[self.at:self.at + count]
        self.at += count
        return piece

    def item(self):
        first = self.take(1)[0]
        major, short = first >> 5, first & 31
        if major == 7:
            if short == 26:
                return struct.unpack(">f", self.take(4))[0]
            if short in (20, 21, 22):
                return {20: False, 21: True, 22: None}[short]
            raise Damage("a simple value that captures do not have")
        if short < 24:
            number = short
        elif short < 28:
            number = int.from_bytes(self.take(1 << (short - 24)), "big")
        else:
            raise Damage("an item of indefinite length")
        if major == 0:
            return number
        if major == 2:
            return self.take(number)
        if major == 3:
            return self.take(number).decode("utf-8")
        if major == 4:
            return [self.item() for _ in range(number)]
        if major == 5:
            return {self.item(): self.item() for _ in range(number)}
        raise Damage("an item that captures do not have")


def column(name, content):
    element = struct.Struct("<" + ELEMENTS.get(name, "I"))
    if len(content) % element.size:
        raise Damage(f"the column {name} ends within an element")
    values = list(element.iter_unpack(content))
    return [value[0] if len(value) == 1 else list(value) for value in values]


def digest(content):
    if content is None:
        return None
    numbers = struct.unpack("<32H16HII", content)
    return {"bodies": list(numbers[:32]), "contacts": list(numbers[32:48]), "joints": numbers[48],
            "resting": numbers[49]}


def told(kind, body, bare):
    """A record as it is printed."""
    out = {"record": kind}
    for key, value in body.items():
        if key in ("hash", "initial_hash"):
            value = f"{value:016x}"
        elif key == "digest":
            value = digest(value)
        elif key == "columns":
            value = {name: column(name, content) for name, content in value.items()}
            if bare:
                value = {name: len(values) for name, values in value.items()}
        elif key == "time_bits":
            key, value = "time", struct.unpack("<d", struct.pack("<Q", value))[0]
        elif key == "scene" and bare:
            value = {"name": value["name"], "bodies": len(value["bodies"]), "joints": len(value["joints"])}
        elif key in ("commands", "kinds") and bare:
            value = len(value)
        elif kind == "surface" and key == "heights":
            value = list(struct.unpack(f"<{len(value) // 4}f", value))
            if bare:
                value = len(value)
        elif kind == "surface" and key in ("mesh", "heightfield", "blocks") and bare:
            value = {name: len(part) if isinstance(part, list) else part for name, part in value.items()}
        out[key] = value
    return out


def finite(value):
    """JSON has neither infinities nor bytes: they are told as texts, names of surfaces for example."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, list):
        return [finite(one) for one in value]
    if isinstance(value, dict):
        return {key: finite(one) for key, one in value.items()}
    return value


def decompressed(path):
    """All frames one after the other, and what zstd says of the rest."""
    try:
        run = subprocess.run(["zstd", "-dcq", "--", path], capture_output=True, check=False)
    except FileNotFoundError:
        raise Damage("the program zstd is needed: install zstd")
    return run.stdout, run.stderr.decode(errors="replace").strip() if run.returncode else ""


def records(path):
    data, problem = decompressed(path)
    cbor = Cbor(data)
    if not data:
        raise Damage(problem or "the file is empty")
    while cbor.at < len(data):
        start = cbor.at
        try:
            kind, body = cbor.item()
        except Damage:
            if problem:  # the tail of what zstd could still give
                break
            raise
        yield kind, body, cbor.at - start
    if problem and "premature" not in problem and "incomplete" not in problem.lower():
        raise Damage(problem)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("file")
    parser.add_argument("--bare", action="store_true", help="without scenes, commands and columns")
    arguments = parser.parse_args()
    ended, first = False, True
    try:
        for kind, body, size in records(arguments.file):
            if first:
                if kind != "header" or body.get("format") != "cairn-capture":
                    raise Damage("this is not a capture of cairn")
                if body["version"] not in (2, 3, 4):
                    raise Damage(f"this is a capture of version {body['version']}, and versions 2 to 4 are known here")
            first = False
            line = told(kind, body, arguments.bare)
            if kind == "keyframe":
                line["bytes"] = size
            print(json.dumps(finite(line), separators=(",", ":")))
            ended = kind == "end"
    except Damage as damage:
        print(f"error: {arguments.file}: {damage}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 0
    if not ended:
        print(f"{arguments.file}: the file was never finished", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
