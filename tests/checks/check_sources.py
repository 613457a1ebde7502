#!/usr/bin/env python3
"""Checks of the source tree: check_sources.py CHECK FOLDER. Prints FILE:LINE: what is wrong, and exits 1 if anything is.

includes    our own includes point only in the allowed direction, and are written from the repository's root
rooms       no folder of those that are divided into rooms holds more than a dozen files
arithmetic  the step uses + - * / and sqrt only: results of other functions differ between libraries and compilers
paths       no tracked file names a folder of somebody's machine
format      clang-format would change nothing
"""
import pathlib
import re
import subprocess
import sys

SOURCE_FOLDERS = ("physics", "render", "app", "tests", "bench", "examples", "cmake")
SOURCE_SUFFIXES = {".cpp", ".h", ".c", ".hpp"}
SKIPPED_FOLDERS = {".git", "build", "install", "__pycache__"}

# What each folder may include of ours; the longest prefix of a file's path decides. Tests and benchmarks may use all.
ALLOWED_INCLUDES = {
    "physics": ("physics/",),
    "render": ("render/",),
    "app/algorithms": ("app/algorithms/", "physics/"),
    "app/core": ("app/core/", "app/algorithms/", "physics/"),
    "app/lab": ("app/lab/", "app/core/", "app/algorithms/", "physics/"),
    "app/ui": ("app/ui/", "app/lab/", "app/core/", "physics/", "render/"),
    "app": ("app/", "physics/", "render/"),
    "tests": ("tests/", "app/", "physics/", "render/"),
    "bench": ("bench/", "tests/", "app/", "physics/", "render/"),
    "examples": ("physics/",),
}
# Inside physics, each room may use those before it.
PHYSICS_ROOMS = ("base", "geometry", "query", "broadphase", "narrowphase", "islands", "solver", "continuous", "world")
for last, room in enumerate(PHYSICS_ROOMS, 1):
    ALLOWED_INCLUDES[f"physics/{room}"] = tuple(f"physics/{earlier}/" for earlier in PHYSICS_ROOMS[:last])
# Inside each folder of ROOMS below, a room may use itself and those before it; a folder in a folder is a room of its
# own, and "." what lies loose.
UI_ROOMS = (
    "text", "widgets/icons", "widgets", "widgets/charts", "widgets/colour", "widgets/rows", "input", "camera", "layers/shapes", "layers", "view/fields", "view/labels", "view", "settings/archive", "context", "screen/scene",
    "screen/pointing", "screen", "dialogs", "keys", "tour", "sound", "document", "timeline", "film", "expectations", "plots/motion", "plots", "lab/picture", "lab", "columns", "tools",
    "tools/spawn", "tools/select", "tools/gizmo", "tools/push", "tools/build", "tools/build/extrude", "tools/build/join", "tools/player", "tools/bar", "opening",
    "browser", "palette", "panels/body/rows", "panels/body", "panels/motion", "panels/outliner", "panels", "report", "settings", "window/pointing", "window", "session/picture", "session", "session/benchmark")
QUERY_ROOMS = (".", "gjk", "distance", "impact", "casts", "manifold/patch", "manifold", "mesh")
GEOMETRY_ROOMS = (".", "hull", "mesh", "shapes", "decomposition/parts", "decomposition")
NARROWPHASE_ROOMS = (".", "pool", "carry", "update")
WORLD_ROOMS = (".", "parameters", "store", "islands", "contacts", "substeps/piles", "substeps", "motion", "state", "engine", "commands")
SOLVER_ROOMS = ("motion", "rows", "rows/arms", "rows/passes", "turns", "joints/rows", "joints/rows/passes", "joints/system", "joints", "impacts", ".")
BASE_ROOMS = (".", "files")
REPORT_ROOMS = ("formats", "statistics", ".", "pages")
SCENE_ROOMS = ("json", "values", "shapes/formats", "gltf/file", "shapes", "show", ".", "parser", "gltf", "writer", "rewrite", "worlds", "files")
CAPTURE_ROOMS = ("format", "records", ".", "verify")
LAB_ROOMS = ("steps", "planar", "tracers", "known_bugs/support", "known_bugs/queries", "known_bugs/solids", "known_bugs", ".", "comparison")
CLI_ROOMS = ("options", "output", "verbs/runs", "verbs/checks", "verbs/shapes", ".")
ROOMS = {"physics/geometry": GEOMETRY_ROOMS, "physics/query": QUERY_ROOMS, "physics/narrowphase": NARROWPHASE_ROOMS,
         "physics/solver": SOLVER_ROOMS, "physics/world": WORLD_ROOMS, "app/core/base": BASE_ROOMS,
         "app/core/report": REPORT_ROOMS, "app/core/scene": SCENE_ROOMS, "app/core/capture": CAPTURE_ROOMS,
         "app/lab": LAB_ROOMS, "app/ui": UI_ROOMS, "app/cli": CLI_ROOMS}
# The headers for programs that contain the engine: those that lie loose in these folders, and a few more. They are
# installed (cmake/install/install.cmake), and nothing else is.
PUBLIC_FOLDERS = ("physics/base", "physics/geometry", "physics/query", "physics/world")
PUBLIC_HEADERS = ("physics/geometry/decomposition/decomposition.h", "physics/narrowphase/material.h", "physics/solver/joints/rows/joint_terms.h")
MOST_FILES_IN_A_ROOM = 12
OUR_FOLDERS = ("physics/", "render/", "app/", "tests/", "bench/")
# The window library, the loader and the panels' library stay out of the folders that must build without them; JSON
# and the command line's parser are costly to compile and stay where they are needed.
FORBIDDEN_LIBRARIES = {
    "physics": ("nlohmann/", "CLI/", "GLFW/", "glad/", "imgui", "tbb/", "oneapi/", "zstd", "cbor"),
    "render": ("imgui", "nlohmann/", "CLI/", "tbb/", "oneapi/", "cbor"),
    "app/algorithms": ("nlohmann/", "CLI/", "GLFW/", "glad/", "imgui"),
    "app/core": ("CLI/", "GLFW/", "glad/", "imgui"),
    "app/lab": ("CLI/", "GLFW/", "glad/", "imgui"),
}

# Shapes and hulls are built before a body enters a world; all else of the engine runs inside steps.
SETUP_FOLDER = "physics/geometry/"
INEXACT_FUNCTIONS = (
    "sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|"
    "hypot|fma|tgamma|lgamma|erf|erfc|sincos"
)
# GLM helpers that use the functions above, or whose fast variants are approximations.
INEXACT_GLM = "angleAxis|rotate|slerp|mix_slerp|angle|axis|eulerAngles|fastSqrt|fastInverseSqrt|fastNormalize"
INEXACT_CALL = re.compile(
    rf"(?:\b(?:std|glm)::(?:{INEXACT_FUNCTIONS})[fl]?|\bglm::(?:{INEXACT_GLM})|"
    rf"(?<![\w.>:])(?:{INEXACT_FUNCTIONS})[fl]?|\b_mm\d*_(?:fm|fnm|rsqrt|rcp)\w*)\s*\("
)

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# Spelled in pieces, so that this file does not match itself.
MACHINE_PATH = re.compile(r"(?<![\w.~$}])/(?:ho" r"me|ro" r"ot|Us" r"ers|wo" r"rk|works" r"pace)/[A-Za-z0-9_.]")


def tracked_files(root):
    """Files under version control or about to be (not the ignored ones); all files where there is no git or the tree is an unpacked archive."""
    if (root / ".git").exists():
        try:
            listing = subprocess.run(
                ["git", "-c", f"safe.directory={root}", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                capture_output=True, check=True)
            return [root / name for name in listing.stdout.decode().split("\0") if name and (root / name).is_file()]
        except (OSError, subprocess.CalledProcessError):
            pass
    return [p for p in sorted(root.rglob("*"))
            if p.is_file() and not SKIPPED_FOLDERS & set(p.relative_to(root).parts)]


def sources(root):
    for path in tracked_files(root):
        relative = path.relative_to(root)
        if relative.parts[0] in SOURCE_FOLDERS and path.suffix in SOURCE_SUFFIXES:
            yield relative, path


def by_folder(relative, table):
    matches = [folder for folder in table if relative.as_posix().startswith(folder + "/")]
    return table[max(matches, key=len)] if matches else None


def without_comments(text):
    """The text with comments and string literals blanked out, line for line."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def check_includes(root):
    for relative, path in sources(root):
        allowed = by_folder(relative, ALLOWED_INCLUDES)
        libraries = by_folder(relative, FORBIDDEN_LIBRARIES) or ()
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            quoted, name = match.group(1) == '"', match.group(2)
            if name.startswith(OUR_FOLDERS):
                if allowed is not None and not name.startswith(allowed):
                    yield f"{relative}:{number}: may not include {name} (allowed: {', '.join(allowed)})"
                (house, room), (used_house, used) = room_of(relative), room_of(pathlib.PurePosixPath(name))
                if house is not None and house == used_house:
                    if room not in ROOMS[house]:
                        yield f"{relative}:{number}: the room {room} has no place in the rooms of {house}"
                    elif used not in ROOMS[house][:ROOMS[house].index(room) + 1]:
                        yield f"{relative}:{number}: {room} may not include {name}, which is not below it"
                elif is_public(relative) and not is_public(pathlib.PurePosixPath(name)):
                    yield f"{relative}:{number}: programs include this header, and {name} is not installed"
            elif (root / relative.parent / name).is_file() and quoted:
                yield f"{relative}:{number}: write the include of {name} from the repository's root"
            elif name.startswith(libraries):
                yield f"{relative}:{number}: {name} does not belong in this folder"


def is_public(path):
    return path.suffix == ".h" and (path.parent.as_posix() in PUBLIC_FOLDERS or path.as_posix() in PUBLIC_HEADERS)


def room_of(path):
    """The folder of ROOMS that a file lies in, and the room there; None twice for files elsewhere."""
    for house in ROOMS:
        if path.as_posix().startswith(house + "/"):
            return house, path.parent.relative_to(house).as_posix()
    return None, None


def check_rooms(root):
    files = {}
    for path in tracked_files(root):
        relative = path.relative_to(root)
        if room_of(relative)[0] is not None:
            files.setdefault(relative.parent.as_posix(), []).append(relative.name)
    for folder, names in sorted(files.items()):
        if len(names) > MOST_FILES_IN_A_ROOM:
            yield f"{folder}: {len(names)} files lie loose in it; {MOST_FILES_IN_A_ROOM} are the most"


def check_arithmetic(root):
    for relative, path in sources(root):
        name = relative.as_posix()
        if not name.startswith("physics/") or name.startswith(SETUP_FOLDER):
            continue
        for number, line in enumerate(without_comments(path.read_text()).splitlines(), 1):
            for match in INEXACT_CALL.finditer(line):
                name = match.group().rstrip("( ")
                yield f"{relative}:{number}: {name} is not exact; the step uses + - * / and sqrt only"


def check_paths(root):
    for path in tracked_files(root):
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            match = MACHINE_PATH.search(line)
            if match:
                yield f"{path.relative_to(root)}:{number}: names a folder of one machine: {match.group()}..."


def check_format(root):
    files = [str(path) for _, path in sources(root)]
    if not files:
        return
    result = subprocess.run(["clang-format", "--dry-run", "-Werror", "--style=file", *files],
                            cwd=root, capture_output=True, text=True, check=False)
    for line in result.stderr.splitlines():
        match = re.match(rf"{re.escape(str(root))}/(.*?:\d+):\d+: error: (.*)", line)
        if match:
            yield f"{match.group(1)}: {match.group(2)}"
    if result.returncode != 0 and "error:" not in result.stderr:
        yield f"clang-format failed: {result.stderr.strip()}"


CHECKS = {"includes": check_includes, "rooms": check_rooms, "arithmetic": check_arithmetic, "paths": check_paths, "format": check_format}


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in CHECKS:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[2]).resolve()
    if sys.argv[1] not in ("paths", "rooms") and not any(sources(root)):
        sys.exit(f"no source files under {root}")
    problems = list(CHECKS[sys.argv[1]](root))
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
