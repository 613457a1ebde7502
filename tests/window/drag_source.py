"""Drags files onto a window as a file manager does: a source of the XDND protocol, version 5, through Xlib.

https://freedesktop.org/wiki/Specifications/XDND
"""

import ctypes
import ctypes.util
import time
from urllib.parse import quote


class ClientMessage(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("window", ctypes.c_ulong), ("message_type", ctypes.c_ulong),
                ("format", ctypes.c_int), ("data", ctypes.c_long * 5)]


class SelectionRequest(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("owner", ctypes.c_ulong), ("requestor", ctypes.c_ulong),
                ("selection", ctypes.c_ulong), ("target", ctypes.c_ulong), ("property", ctypes.c_ulong),
                ("time", ctypes.c_ulong)]


class SelectionNotify(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("requestor", ctypes.c_ulong), ("selection", ctypes.c_ulong),
                ("target", ctypes.c_ulong), ("property", ctypes.c_ulong), ("time", ctypes.c_ulong)]


class Event(ctypes.Union):
    _fields_ = [("type", ctypes.c_int), ("message", ClientMessage), ("request", SelectionRequest),
                ("notify", SelectionNotify), ("room", ctypes.c_long * 24)]


SELECTION_REQUEST, SELECTION_NOTIFY, CLIENT_MESSAGE = 30, 31, 33
CURRENT_TIME, ATOM, REPLACE = 0, 4, 0


class DragSource:
    def __init__(self, display):
        self.x = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
        pointer, number = ctypes.c_void_p, ctypes.c_ulong
        self.x.XOpenDisplay.restype = pointer
        self.x.XOpenDisplay.argtypes = [ctypes.c_char_p]
        for name, result, arguments in (
                ("XDefaultRootWindow", number, [pointer]), ("XInternAtom", number, [pointer, ctypes.c_char_p, ctypes.c_int]),
                ("XCreateSimpleWindow", number, [pointer, number] + [ctypes.c_int] * 2 + [ctypes.c_uint] * 3 + [number] * 2),
                ("XSetSelectionOwner", ctypes.c_int, [pointer, number, number, number]),
                ("XSendEvent", ctypes.c_int, [pointer, number, ctypes.c_int, ctypes.c_long, pointer]),
                ("XChangeProperty", ctypes.c_int,
                 [pointer, number, number, number, ctypes.c_int, ctypes.c_int, pointer, ctypes.c_int]),
                ("XPending", ctypes.c_int, [pointer]), ("XNextEvent", ctypes.c_int, [pointer, pointer]),
                ("XFlush", ctypes.c_int, [pointer]), ("XCloseDisplay", ctypes.c_int, [pointer])):
            function = getattr(self.x, name)
            function.restype, function.argtypes = result, arguments
        self.display = self.x.XOpenDisplay(display.encode())
        if not self.display:
            raise RuntimeError("no display " + display)
        root = self.x.XDefaultRootWindow(self.display)
        self.window = self.x.XCreateSimpleWindow(self.display, root, 0, 0, 1, 1, 0, 0, 0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.x.XCloseDisplay(self.display)

    def atom(self, name):
        return self.x.XInternAtom(self.display, name.encode(), 0)

    def tell(self, target, kind, *data):
        event = Event()
        event.message.type = CLIENT_MESSAGE
        event.message.window = target
        event.message.message_type = self.atom(kind)
        event.message.format = 32
        event.message.data[:] = (list((self.window,) + data) + [0] * 5)[:5]
        self.x.XSendEvent(self.display, target, 0, 0, ctypes.byref(event))
        self.x.XFlush(self.display)

    def wait(self, wanted, patience=30.0):
        """The next event of this kind; whoever asks for the dragged data meanwhile is given it."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            while self.x.XPending(self.display):
                event = Event()
                self.x.XNextEvent(self.display, ctypes.byref(event))
                if event.type == SELECTION_REQUEST:
                    self.answer(event.request)
                if wanted(event):
                    return event
            time.sleep(0.01)
        raise AssertionError("the window did not answer")

    def answer(self, request):
        text = self.text
        self.x.XChangeProperty(self.display, request.requestor, request.property, request.target, 8, REPLACE, text,
                               len(text))
        event = Event()
        event.notify.type = SELECTION_NOTIFY
        event.notify.requestor, event.notify.selection = request.requestor, request.selection
        event.notify.target, event.notify.property = request.target, request.property
        event.notify.time = request.time
        self.x.XSendEvent(self.display, request.requestor, 0, 0, ctypes.byref(event))
        self.x.XFlush(self.display)

    def drop(self, target, paths, x, y):
        """Drags the files to this place of the display and lets them go. Returns whether they were taken."""
        self.text = "".join("file://" + quote(path) + "\r\n" for path in paths).encode()
        answers = {name: self.atom(name) for name in ("XdndStatus", "XdndFinished")}

        def is_answer(name):
            return lambda e: e.type == CLIENT_MESSAGE and e.message.message_type == answers[name]

        self.x.XSetSelectionOwner(self.display, self.atom("XdndSelection"), self.window, CURRENT_TIME)
        self.tell(target, "XdndEnter", 5 << 24, self.atom("text/uri-list"))
        self.tell(target, "XdndPosition", 0, x << 16 | y, CURRENT_TIME, self.atom("XdndActionCopy"))
        if not self.wait(is_answer("XdndStatus")).message.data[1] & 1:
            self.tell(target, "XdndLeave")
            return False
        self.tell(target, "XdndDrop", 0, CURRENT_TIME)
        # Bit 0 by the protocol; GLFW writes the length of what it was given.
        return self.wait(is_answer("XdndFinished")).message.data[1] != 0
