"""Runs the program in a virtual display of its own and drives it with real key presses and clicks.

The program reports its state in a file (`--stats`), so that nothing here waits for a fixed time: every input is followed
by a wait until the program has seen it.
"""

import contextlib
import glob
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import zlib


# What the right column holds, which is closed until something is selected or it is asked for.
RIGHT_SECTIONS = {"capture", "contacts", "edits", "joints", "layers", "outliner", "shape", "stats"}


class Display:
    """An X server that nobody sees. Picks a free number itself."""

    def __init__(self, width, height):
        read, write = os.pipe()
        self.process = subprocess.Popen(
            # -r: no key repetition, for a slow frame must not type twice. -noreset: a server whose last client leaves
            # starts afresh and throws out whoever is just coming, as the window manager does between two questions.
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp", "-r",
             "-noreset"],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as numbers:
            number = numbers.readline().strip()
        if not number:
            raise RuntimeError("Xvfb did not start")
        self.name = ":" + number

    def close(self):
        self.process.terminate()
        self.process.wait()


class Program:
    """The running program, its display and its folders; a context manager.

    `settings`: the settings file that it reads and writes, none by default. Not `sized`: it chooses its own size.
    `state`: the folder of what is left for the next run, one of its own by default. `paused`: by a key, after so many steps.
    `resolution`: percent of the window's pixels in which the world is drawn, by the processor.
    """

    patience = 60.0  # seconds for anything to show its effect on a slow machine

    def __init__(self, *arguments, size=(800, 520), scale=0.75, prepare=None, managed=False,
                 settings="off", sized=True, state=None, paused=None, resolution=50):
        self.pauses = paused
        self.folder = tempfile.mkdtemp(prefix="cairn-window-")
        self.display = Display(*size)
        self.stats = os.path.join(self.folder, "state.json")
        self.environment = dict(
            os.environ, DISPLAY=self.display.name, XDG_DATA_HOME=os.path.join(self.folder, "data"),
            XDG_STATE_HOME=state or os.path.join(self.folder, "state"), XDG_CONFIG_HOME=os.path.join(self.folder, "config"),
            XDG_CACHE_HOME=os.path.join(self.folder, "cache"), CAIRN_UI_SCALE=str(scale), LIBGL_ALWAYS_SOFTWARE="1",
            CAIRN_SETTINGS=settings,
            # The programs of the graphics driver, once compiled, serve every window that a test opens.
            MESA_SHADER_CACHE_DIR=os.path.join(os.path.dirname(program()), "tests", "shader_cache"))
        # Convex parts of the shipped meshes, which take seconds to find; all else that is kept, each window makes itself.
        found = os.path.join(os.path.dirname(program()), "cache/cairn/decompositions")
        if os.path.isdir(found):
            shutil.copytree(found, os.path.join(self.folder, "cache/cairn/decompositions"))
        self.errors = open(os.path.join(self.folder, "stderr.txt"), "w+")
        self.process = self.manager = self.hand = None
        try:
            if managed:
                self.start_manager()
            if prepare:
                prepare(self)
            self.process = subprocess.Popen(
                [program(), *arguments, *(["--size", f"{size[0]}x{size[1]}"] if sized else []),
                 "--resolution", str(resolution), "--stats", self.stats],
                env=self.environment, cwd=self.folder, stdout=self.errors, stderr=self.errors)
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        try:
            self.wait(lambda s: s["frames"] > 1 and "column.left" in s["widgets"], "the first frames")
            if self.pauses is not None:
                self.wait(lambda s: s["step"] >= self.pauses, "steps")
                self.key("p")
                self.wait(lambda s: s["paused"], "the pause")
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
        if self.process:
            self.process.wait()
        if self.hand:
            self.hand.communicate()
        if self.manager:
            self.manager.terminate()
            self.manager.wait()
        self.errors.close()
        self.display.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start_manager(self):
        """Only a window manager can minimise a window. It adds no frame, so that the window covers the display."""
        rules = self.path("openbox.xml")
        with open(rules, "w", encoding="utf-8") as file:
            file.write('<openbox_config xmlns="http://openbox.org/3.4/rc"><applications><application class="*">'
                       '<decor>no</decor><position force="yes"><x>0</x><y>0</y></position>'
                       '</application></applications></openbox_config>')
        self.manager = subprocess.Popen(["openbox", "--sm-disable", "--config-file", rules], env=self.environment,
                                        stdout=self.errors, stderr=self.errors)
        end = time.monotonic() + self.patience
        # Fails until a manager says that it has desktops.
        while subprocess.run(["xdotool", "get_desktop"], env=self.environment, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, check=False).returncode != 0:
            if self.manager.poll() is not None or time.monotonic() > end:
                raise AssertionError("the window manager did not start")
            time.sleep(0.05)

    def path(self, name):
        return os.path.join(self.folder, name)

    # What it says.

    def state(self):
        return self.wait(lambda s: True, "a report")

    def wait(self, condition, what):
        end = time.monotonic() + self.patience
        state = None
        while time.monotonic() < end:
            if self.process.poll() is not None:
                self.errors.seek(0)
                raise AssertionError(f"the program ended with {self.process.returncode} while waiting for {what}: "
                                     + self.errors.read())
            try:
                with open(self.stats, encoding="utf-8") as file:
                    state = json.load(file)
                if condition(state):
                    return state
                self.ask_for_report()
            except FileNotFoundError:
                pass
            time.sleep(0.005)
        raise AssertionError(f"waited in vain for {what}; the last state: {json.dumps(state)[:6000]}")

    def ask_for_report(self):
        """The program writes a report at the end of the frame if there is none."""
        try:
            os.remove(self.stats)
        except FileNotFoundError:
            pass

    def frames(self, count=2):
        """Waits until `count` frames that began after now have ended. One has seen the inputs so far."""
        # The last report may be a few frames old, and the next may be of a frame that has read its input before now.
        self.ask_for_report()
        start = self.state()["frames"]
        return self.wait(lambda s: s["frames"] >= start + count, f"{count} frames")

    # What a person does.

    def xdotool(self, *words):
        """Returns when the display has the input. One xdotool serves them all: its start takes longer than an input."""
        words = [str(word) for word in words]
        if not all(re.fullmatch(r"[A-Za-z0-9_.+-]+", word) for word in words):  # its scripts take quotes and $ for theirs
            subprocess.run(["xdotool", *words], env=self.environment, check=True)
            return
        if self.hand is None:
            self.hand = subprocess.Popen([shutil.which("stdbuf"), "-oL", "xdotool", "-"], env=self.environment, stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, text=True)
        # What it prints last, it has asked the display after the input.
        self.hand.stdin.write(" ".join(words) + "\ngetmouselocation\n")
        self.hand.stdin.flush()
        if not self.hand.stdout.readline():
            raise AssertionError(f"xdotool ended at {words}")

    def window(self):
        """The number of the program's window."""
        found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "Cairn"], env=self.environment,
                               check=True, capture_output=True, text=True).stdout.split()
        return found[0]

    def key(self, name):
        # The panels see keys once a frame: one that is pressed and released in between does not exist for them.
        self.xdotool("keydown", name)
        self.frames(1)
        self.xdotool("keyup", name)
        return self.frames(1)

    @contextlib.contextmanager
    def held(self, key):
        self.xdotool("keydown", key)
        yield
        self.xdotool("keyup", key)

    def quit(self):
        self.xdotool("key", "ctrl+q")
        return self.process.wait(timeout=60)

    def move(self, x, y):
        self.xdotool("mousemove", round(x), round(y))
        return self.wait(lambda s: abs(s["mouse"]["at"][0] - x) < 2 and abs(s["mouse"]["at"][1] - y) < 2,
                         f"the cursor at {x}, {y}")

    def point_at(self, widget):
        x, y, width, height = self.state()["widgets"][widget]
        return self.move(x + width / 2, y + height / 2)

    def press(self, button=1):
        self.xdotool("mousedown", button)
        return self.frames(1)

    def release(self, button=1):
        self.xdotool("mouseup", button)
        return self.frames(1)

    def click_at(self, x, y, button=1):
        self.move(x, y)  # the panels need a frame to see the cursor before the button, and that one has ended
        self.press(button)
        return self.release(button)

    def click(self, widget):
        widgets = self.frames(1)["widgets"]  # what the last click changed may have moved it
        if widget.split(".")[0] in RIGHT_SECTIONS and widget not in widgets and "column.right.unfold" in widgets:
            self.click("column.right.unfold")
        state = self.wait(lambda s: widget in s["widgets"], f"the widget {widget}")
        x, y, width, height = state["widgets"][widget]
        return self.click_at(x + width / 2, y + height / 2)

    def type_over(self, widget, text):
        """Replaces the text of a field; a number field becomes a text field by a click."""
        self.click(widget)
        self.key("ctrl+a")
        self.xdotool("type", "--delay", 20, "--", text)
        self.frames()
        return self.key("Return")

    def screenshot(self, key="F12"):
        """The path of a new one."""
        def pictures():
            return set(glob.glob(self.path("data/cairn/screenshots/*.png")))
        before = pictures()
        self.key(key)
        self.wait(lambda _: pictures() - before, "a picture")
        self.frames(3)
        (new,) = pictures() - before
        return new

    def saved_history(self):
        """The path of the capture, the only one in its folder."""
        self.key("shift+F9")
        self.wait(lambda _: glob.glob(self.path("data/cairn/captures/*.cairn")), "a capture")
        self.frames(3)
        (capture,) = glob.glob(self.path("data/cairn/captures/*.cairn"))
        return capture

    def open_section(self, section, widget):
        """Opens a section of a column if `widget` in it is not to be seen, and the right column for it."""
        widgets = self.state()["widgets"]
        if widget not in widgets and "section." + section not in widgets and "column.right.unfold" in widgets:
            self.click("column.right.unfold")
            self.frames()
        if widget not in self.state()["widgets"]:
            self.click("section." + section)
            self.wait(lambda s: widget in s["widgets"], f"the section {section}")

    def pickable(self, name=None):
        """A body that can be clicked where it is, newest first."""
        def bodies(state):
            return [b for b in state["on_screen"] if b["pickable"] and (name is None or b["name"] == name)]
        return bodies(self.wait(bodies, f"a body {name or ''} that can be clicked"))[0]


def program():
    return os.environ["CAIRN_PROGRAM"]


def write_scene(path, scene):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(scene, file)


def verify(capture):
    """What `cairn verify` prints of a capture that replays to the same bits."""
    result = subprocess.run([program(), "verify", capture], capture_output=True, text=True, timeout=100, check=False)
    if result.returncode != 0:
        raise AssertionError(result.stdout + result.stderr)
    return result.stdout


def read_png(path):
    """Width, height and the decompressed bytes of a PNG, its checksums verified."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise AssertionError(f"{path} is no PNG")
    width = height = 0
    packed, at = b"", 8
    while at < len(data):
        length = int.from_bytes(data[at:at + 4], "big")
        kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + length]
        if zlib.crc32(kind + body) != int.from_bytes(data[at + 8 + length:at + 12 + length], "big"):
            raise AssertionError(f"{path}: damaged chunk {kind!r}")
        if kind == b"IHDR":
            width, height = int.from_bytes(body[:4], "big"), int.from_bytes(body[4:8], "big")
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    return width, height, zlib.decompress(packed)


def rows_of_png(path):
    """Rows of (red, green, blue), 8 bits each."""
    width, height, data = read_png(path)
    size = len(data) // height - 1  # a row begins with the number of its filter
    step = size // width  # bytes of a pixel
    before = bytearray(size)
    for y in range(height):
        kind, row = data[y * (size + 1)], bytearray(data[y * (size + 1) + 1:(y + 1) * (size + 1)])
        for i in range(size):
            left, corner = (row[i - step], before[i - step]) if i >= step else (0, 0)
            up = before[i]
            if kind == 1:
                row[i] = (row[i] + left) & 255
            elif kind == 2:
                row[i] = (row[i] + up) & 255
            elif kind == 3:
                row[i] = (row[i] + (left + up) // 2) & 255
            elif kind == 4:
                guess = left + up - corner
                off = (abs(guess - left), abs(guess - up), abs(guess - corner))
                row[i] = (row[i] + (left if off[0] == min(off) else up if off[1] == min(off) else corner)) & 255
        before = row
        yield [tuple(row[i:i + 3]) for i in range(0, size, step)]
