"""The pages of `cairn verify --report`, `cairn sweep` and `cairn lab --table` as a browser shows them: their curves
are there, and the browser has nothing to complain of. Chromium is no package that the tests need: without one this says
so and is skipped."""

import math
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "window"), os.path.join(ROOT, "tools")]
from driver import rows_of_png  # noqa: E402
from read_capture import Cbor  # noqa: E402

CAIRN = os.environ["CAIRN_PROGRAM"]
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SKIPPED = 77  # as the test's registration says
WIDTH, HEIGHT = 800, 1800  # with pictures, the first curves begin below 1000


def is_shade(pixel, colour):
    """Is it this colour, laid thinly or thickly over white, as at the edge of a line?"""
    depth = [255 - c for c in colour]
    share = sum(d * (255 - p) for d, p in zip(depth, pixel)) / sum(d * d for d in depth)
    return 0.4 <= share <= 1.05 and all(abs(255 - share * d - p) <= 10 for d, p in zip(depth, pixel))


def of_hex(text):
    return tuple(int(text[i:i + 2], 16) for i in (1, 3, 5))


def of_oklch(lightness, chroma, hue):
    """As browsers turn it into sRGB (CSS Color 4, section 20.3), within the gamut."""
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    l, m, s = ((lightness + u * a + v * b) ** 3 for u, v in (
        (0.3963377774, 0.2158037573), (-0.1055613458, -0.0638541728), (-0.0894841775, -1.2914855480)))
    linear = (4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
              -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
              -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)
    return tuple(round(255 * (12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055))
                 for c in (min(max(c, 0.0), 1.0) for c in linear))


class Look:
    """What a browser makes of a page."""

    def __init__(self, page):
        with tempfile.TemporaryDirectory() as folder:
            picture = os.path.join(folder, "page.png")
            # The page is ours and lies on this disk; the sandbox needs privileges that test machines do not give.
            run = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                                  "--force-device-scale-factor=1", "--force-color-profile=srgb",
                                  f"--window-size={WIDTH},{HEIGHT}", "--enable-logging=stderr",
                                  f"--user-data-dir={os.path.join(folder, 'profile')}", f"--screenshot={picture}",
                                  "file://" + page], capture_output=True, text=True, timeout=100, check=False)
            self.complaints = [line for line in run.stderr.splitlines() if ":CONSOLE" in line]
            if not os.path.exists(picture):
                raise AssertionError(f"{BROWSER} made no picture of {page}:\n{run.stderr}")
            self.rows = list(rows_of_png(picture))

    def columns_of(self, colour):
        """The part of the page's width in which this colour is met: a curve goes through most of it, while a word or
        the mark of a legend does not."""
        shades = {pixel for row in self.rows for pixel in set(row) if is_shade(pixel, colour)}
        met = {x for row in self.rows for x, pixel in enumerate(row) if pixel in shades}
        return len(met) / len(self.rows[0])


def records(path):
    data = subprocess.run(["zstd", "-dcq", "--", path], capture_output=True, check=True).stdout
    cbor = Cbor(data)
    while cbor.at < len(data):
        start = cbor.at
        kind, _ = cbor.item()
        yield kind, data[start:cbor.at]


def splice(first, second, steps, path):
    """A capture that goes on, after so many steps of the first one, as the second does: no program follows that."""
    def steps_of(capture):
        out = []
        for kind, record in records(capture):
            if kind == "step":
                out.append([])
            if kind in ("step", "keyframe"):
                out[-1].append(record)
        return out

    whole = list(records(first))
    pieces = steps_of(first)[:steps] + steps_of(second)[steps:]
    with open(path, "wb") as file:
        for record in [whole[0][1], *(record for step in pieces for record in step), whole[-1][1]]:
            file.write(subprocess.run(["zstd", "-cq", "--check"], input=record, capture_output=True, check=True).stdout)


class Pages(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def cairn(self, *words, code=0):
        run = subprocess.run([CAIRN, *words], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, code, run.stderr)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def measured(self, name, width):
        """How wide a page wants to be in a window of that width, and how high its smallest letters are there (px)."""
        asked = """<script>addEventListener("load", () => {
            const heights = [...document.querySelectorAll("svg text")].map(t => t.getBoundingClientRect().height);
            document.title = [document.documentElement.scrollWidth, Math.min(...heights)].join(" ");
        });</script></head>"""
        self.write("asked.html", self.read(name).replace("</head>", asked, 1))
        run = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--force-device-scale-factor=1",
                              f"--window-size={width},900", f"--user-data-dir={self.path('profile')}", "--dump-dom",
                              "file://" + self.path("asked.html")],
                             capture_output=True, text=True, timeout=100, check=False)
        title = run.stdout[run.stdout.index("<title>") + len("<title>"):run.stdout.index("</title>")]
        return [float(value) for value in title.split()]

    def test_report_of_a_capture_that_diverges(self):
        self.cairn("simulate", "builtin:flight", "--steps", "180", "--capture", "a.cairn")
        self.cairn("simulate", "builtin:flight", "--steps", "180", "--set", "bodies.*.linear_damping=0.05",
                   "--capture", "b.cairn")
        splice(self.path("a.cairn"), self.path("b.cairn"), 30, self.path("c.cairn"))
        self.cairn("verify", "c.cairn", "--report", "r.html", code=1)
        look = Look(self.path("r.html"))
        self.assertEqual(look.complaints, [])
        for curve in ("#2f6fb3", "#b3762f"):  # position and rotation
            self.assertGreater(look.columns_of(of_hex(curve)), 0.6, curve)
        for width in (1200, 700, 500):
            page_width, letters = self.measured("r.html", width)
            self.assertLessEqual(page_width, width, "the page itself is never moved sideways")
            self.assertGreaterEqual(letters, 9, f"px, the smallest of the plots at {width}")
        # As a page whose curves are lost would look.
        page = self.read("r.html")
        self.assertIn("<polyline", page)
        self.write("bare.html", page.replace("<polyline", "<nothing"))
        self.assertLess(Look(self.path("bare.html")).columns_of(of_hex("#2f6fb3")), 0.3)

    def test_sweep(self):
        self.write("s.json", """{"cairn_sweep": 1, "name": "small", "scene": "tower", "steps": 40, "parameters":
                               {"step.substeps": [2, 4], "gravity.2": {"from": -2, "to": -10, "count": 5}}}""")
        self.cairn("sweep", "s.json")
        look = Look(self.path("s.html"))
        self.assertEqual(look.complaints, [])
        for curve in range(2):  # as the page colours up to eight values
            self.assertGreater(look.columns_of(of_oklch(0.62, 0.15, 45 * curve + 25)), 0.6, curve)
        # As a page whose program does not run would look.
        self.write("broken.html", self.read("s.html").replace("const data = ", "nonsense(); const data = "))
        broken = Look(self.path("broken.html"))
        self.assertIn("nonsense is not defined", " ".join(broken.complaints))
        self.assertLess(broken.columns_of(of_oklch(0.62, 0.15, 25)), 0.1)

    def test_comparison_of_algorithms(self):
        self.cairn("lab", os.path.join(ROOT, "scenes", "duel.json"), "--table", "t.csv", "--page", "p.html")
        look = Look(self.path("p.html"))
        self.assertEqual(look.complaints, [])
        for curve in (2, 3):  # the fastest and the slowest over the vertices: those between may hide each other
            self.assertGreater(look.columns_of(of_oklch(0.62, 0.15, 45 * curve + 25)), 0.5, curve)
        # As a page whose charts have no points would look.
        page = self.read("p.html")
        self.assertIn('"x":"vertices"', page)
        self.write("bare.html", page.replace("<polyline", "<nothing"))
        self.assertLess(Look(self.path("bare.html")).columns_of(of_oklch(0.62, 0.15, 45 * 3 + 25)), 0.4)


if __name__ == "__main__":
    if BROWSER is None:
        print("skipped: there is no Chromium that could show the pages")
        sys.exit(SKIPPED)
    unittest.main()
