#!/usr/bin/env python3
"""Draws the textures of the program: python3 tools/make_textures.py [FOLDER], default assets/textures.

Own work, made of formulas only; the same pixels on every machine. All tile seamlessly. Bodies multiply them with their
colour, so they are light greys whose mean stays near white. Only the standard library is used.
"""

import math
import struct
import sys
import zlib
from pathlib import Path

SIZE = 256


def write_png(path, pixels, width, height):
    """pixels: rows of (r, g, b), each 0..255."""

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    raw = b"".join(b"\0" + bytes(value for pixel in row for value in pixel) for row in pixels)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"sRGB", b"\0") + chunk(b"IDAT", zlib.compress(raw, 9))
        + chunk(b"IEND", b"")
    )


def lattice_value(x, y, seed):
    """A fixed pseudo-random number in 0..1 for a lattice point (integer mixing, 32 bits)."""
    h = (x * 0x9E3779B1 ^ y * 0x85EBCA77 ^ seed * 0xC2B2AE3D) & 0xFFFFFFFF
    h = ((h ^ h >> 15) * 0x2C1B3C6D) & 0xFFFFFFFF
    h = ((h ^ h >> 12) * 0x297A2D39) & 0xFFFFFFFF
    return (h ^ h >> 15) / 0xFFFFFFFF


def value_noise(u, v, cells_u, cells_v, seed):
    """Smooth noise in 0..1 with period 1 in u and v."""
    x, y = u * cells_u, v * cells_v
    x0, y0 = math.floor(x), math.floor(y)
    fx, fy = x - x0, y - y0
    fx, fy = fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy)

    def at(i, j):
        return lattice_value((x0 + i) % cells_u, (y0 + j) % cells_v, seed)

    low = at(0, 0) + (at(1, 0) - at(0, 0)) * fx
    high = at(0, 1) + (at(1, 1) - at(0, 1)) * fx
    return low + (high - low) * fy


def layered_noise(u, v, cells, octaves, seed, gain=0.5):
    """Sum of octaves in 0..1, periodic."""
    total, amplitude, norm = 0.0, 1.0, 0.0
    for octave in range(octaves):
        total += amplitude * value_noise(u, v, cells << octave, cells << octave, seed + octave)
        norm += amplitude
        amplitude *= gain
    return total / norm


def grey(value):
    level = max(0, min(255, round(255 * value)))
    return (level, level, level)


def tinted(value, tint):
    return tuple(max(0, min(255, round(255 * value * t))) for t in tint)


def plaster(u, v):
    """Fine, dry, slightly cloudy."""
    clouds = layered_noise(u, v, 4, 4, 11)
    grain = layered_noise(u, v, 64, 2, 23)
    return grey(0.955 + 0.05 * (clouds - 0.5) + 0.05 * (grain - 0.5))


def brushed(u, v):
    """Metal brushed along u: noise stretched a long way along one axis."""
    fine = value_noise(u, v, 4, 128, 31)
    broad = value_noise(u, v, 2, 32, 37)
    return grey(0.935 + 0.09 * (fine - 0.5) + 0.05 * (broad - 0.5))


def wood(u, v):
    """Boards along u with wavy grain; each board is cut from another place."""
    boards = 4
    board = math.floor(v * boards)
    across = v * boards - board
    wave = value_noise(u, board / boards, 3, boards, 41) - 0.5
    rings = 0.5 + 0.5 * math.sin(2 * math.pi * (3.0 * across + 1.6 * wave + 0.7 * layered_noise(u, v, 4, 2, 43) + 0.37 * board))
    fibre = value_noise(u, v, 8, 128, 47)
    shade = 0.94 - 0.09 * rings ** 2 - 0.05 * fibre + 0.05 * (lattice_value(board, 7, 53) - 0.5)
    joint = min(across, 1 - across)
    shade *= 0.82 + 0.18 * min(1.0, joint / 0.03)
    return tinted(shade, (1.0, 0.965, 0.915))


def smooth_step(low, high, x):
    t = max(0.0, min(1.0, (x - low) / (high - low)))
    return t * t * (3 - 2 * t)


def ball(u, v):
    """A pale cap and a band per side of the box that the pattern is projected from. Symmetric in both axes and under their
    exchange, so that it closes round a sphere."""
    x, y = 2 * u - 1, 2 * v - 1
    radius = math.hypot(x, y)
    edge = 1.5 / SIZE
    cap = 1 - smooth_step(0.34 - edge, 0.34 + edge, radius)
    ring = smooth_step(0.47 - edge, 0.47 + edge, radius) * (1 - smooth_step(0.53 - edge, 0.53 + edge, radius))
    mark = max(cap, ring)
    return grey(0.80 + 0.20 * mark)


def checker(u, v):
    """Eight fields a side with soft seams."""
    fields = 8
    su, sv = math.sin(math.pi * fields * u), math.sin(math.pi * fields * v)
    sharpness = SIZE / (math.pi * fields * 1.2)
    field = max(-1.0, min(1.0, su * sharpness)) * max(-1.0, min(1.0, sv * sharpness))
    return grey(0.905 + 0.09 * field)


def ground(u, v):
    """Swept screed: wide faint clouds under fine grain."""
    clouds = layered_noise(u, v, 3, 4, 61, 0.55)
    grain = layered_noise(u, v, 48, 3, 71, 0.7)
    return tinted(0.955 + 0.045 * (clouds - 0.5) + 0.04 * (grain - 0.5), (1.0, 0.998, 0.992))


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "assets" / "textures"
    folder.mkdir(parents=True, exist_ok=True)
    for name, pattern, size in (("plaster", plaster, SIZE), ("brushed", brushed, SIZE), ("wood", wood, SIZE),
                                ("ball", ball, SIZE), ("checker", checker, SIZE), ("ground", ground, 512)):
        rows = [[pattern((i + 0.5) / size, (j + 0.5) / size) for i in range(size)] for j in range(size)]
        write_png(folder / f"{name}.png", rows, size, size)


if __name__ == "__main__":
    main()
