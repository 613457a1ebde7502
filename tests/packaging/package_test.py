#!/usr/bin/env python3
"""What is installed and packed works away from the source tree: package_test.py CHECK BUILD-FOLDER

install    the program in an empty prefix finds its data there; manual page and completions know every option
examples   the examples build with the installed engine, as somebody else's program, and run; they build with the
           engine's sources as a part of their build, too, and get the same bits
packages   the Debian packages hold what they should, and run unpacked in an empty root
portable   the archive runs in a root that holds nothing but the C and C++ libraries and what belongs to drivers

Exit code: 0 all well, 1 something is not, 77 cannot be tried on this machine.
"""
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
SKIPPED = 77
# What the portable archive leaves to the machine.
OF_THE_MACHINE = re.compile(
    r"^(linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s|asound|GL|GLX|EGL|OpenGL|GLdispatch|X\w*|xcb\w*|wayland[-\w]*)\.so)"
)


class Failure(Exception):
    pass


def expect(condition, text):
    if not condition:
        raise Failure(text)


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    expect(done.returncode == 0, f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def away_from_here(**more):
    """The environment of somebody who has only installed the program."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "ASAN_OPTIONS", "LSAN_OPTIONS") if name in os.environ}
    return {**kept, **more}


def expect_own_data(program, scenes, folder):
    """The program at `program` reads the scenes in `scenes`, not those of the source tree."""
    mark = scenes / "only_here.json"
    shutil.copy(scenes / "tower.json", mark)
    out = run(program, "check", "builtin:only_here", cwd=folder, env=away_from_here())
    mark.unlink()
    expect(": ok, " in out, out)
    gone = subprocess.run([program, "check", "builtin:only_here"], cwd=folder, env=away_from_here(), capture_output=True, text=True)
    expect(gone.returncode == 2, f"a scene that is not there is not reported: {gone.returncode} {gone.stdout}")


def hash_of_tower(*command, **options):
    return json.loads(run(*command, "simulate", "builtin:tower", "--steps", "20", "--stats", "-", **options))["hash"]


def options_of(help_text):
    return set(re.findall(r"^\s+(?:-\w,)?(--[\w-]+)", help_text, re.M))


def verbs_of(help_text):
    return re.findall(r"^  (\w+)  ", help_text.split("Subcommands:")[1], re.M)


def check_manual(prefix, program):
    page = gzip.open(prefix / "share/man/man1/cairn.1.gz", "rt").read().replace("\\-", "-")
    bash = prefix / "share/bash-completion/completions/cairn"
    others = [prefix / "share/zsh/vendor-completions/_cairn", prefix / "share/fish/vendor_completions.d/cairn.fish"]
    help_text = run(program, "--help")
    verbs = verbs_of(help_text)
    expect("simulate" in verbs and "verify" in verbs and "manual" not in verbs, f"verbs of --help: {verbs}")
    for verb in [None, *verbs]:
        options = options_of(run(program, *([verb] if verb else []), "--help"))
        expect("--help" in options, f"no options found in the help of {verb}")
        title = f".SS cairn {verb}\n" if verb else ".SH OPTIONS\n"
        expect(title in page, f"the manual page has no {title.strip()}")
        section = page.split(title)[1].split("\n.S")[0]
        for option in options:
            expect(f"\\fB{option}\\fR" in section, f"the manual page does not know {option} of {verb}")
        script = ('source "$1"; COMP_WORDS=(cairn $2 --); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _cairn; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        offered = set(run("bash", "-c", script, "-", bash, verb or "").split())
        expect(options <= offered, f"bash is not offered {options - offered} of {verb}")
        for other in others:
            text = other.read_text()
            for option in options:
                wanted = f"-l {option[2:]} " if other.suffix == ".fish" else f"{option}["
                expect(wanted in text, f"{other.name} does not know {option}")
    script = 'source "$1"; COMP_WORDS=(cairn sim); COMP_CWORD=1; _cairn; printf "%s\\n" "${COMPREPLY[@]}"'
    expect(run("bash", "-c", script, "-", bash, cwd=prefix) == "simulate\n", "`cairn sim` is not completed")
    if shutil.which("man"):
        done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", prefix / "share/man/man1/cairn.1.gz"],
                              capture_output=True, text=True)
        expect(done.returncode == 0 and not done.stderr, f"man: {done.stderr}")
    for shell in ("zsh", "fish"):
        if shutil.which(shell):
            run(shell, "-n", others[shell == "fish"])


def check_install(build, folder):
    prefix = folder / "usr"
    run("cmake", "--install", build, "--prefix", prefix, "--component", "program")
    program = prefix / "bin/cairn"
    expect_own_data(program, prefix / "share/cairn/scenes", folder)
    check_manual(prefix, program)
    expect(not (prefix / "include").exists(), "the program's component holds headers")
    if (prefix / "share/applications").exists():
        entry = (prefix / "share/applications/cairn.desktop").read_text()
        expect("Exec=cairn" in entry, entry)
        expect((prefix / "share/icons/hicolor/scalable/apps/cairn.svg").exists(), "no icon")


def build_examples(build, folder, *options):
    """Builds and runs all of them. Returns what the example of determinism says: the hash of its worlds."""
    cache = (build / "CMakeCache.txt").read_text()
    compiler = "-DCMAKE_CXX_COMPILER=" + re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.M)[1]
    run("cmake", "-S", SOURCE / "examples", "-B", folder, "-G", "Ninja", compiler, *options)
    run("ninja", "-C", folder, "all")
    said = run("ctest", "--test-dir", folder, "--verbose")
    hashes = re.findall(r"^\d+: (hash [0-9a-f]{16})$", said, re.M)
    expect(len(hashes) == 1, said)
    print(hashes[0])
    return hashes[0]


def build_with_installed(build, folder):
    prefix = folder / "usr"
    run("cmake", "--install", build, "--prefix", prefix, "--component", "development")
    expect(not (prefix / "bin").exists(), "the library's component holds the program")
    return build_examples(build, folder / "installed", "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_PREFIX_PATH={prefix}")


def build_with_sources(build, folder):
    # Without optimisation and for the narrowest vectors: bits do not depend on these, and it builds in a third of the time.
    sources = build_examples(build, folder / "sources", f"-DCAIRN_SOURCE={SOURCE}", "-DCMAKE_BUILD_TYPE=",
                             "-DCAIRN_BATCHES=ON", "-DCMAKE_CXX_FLAGS=-O0 -DHWY_COMPILE_ONLY_STATIC")
    flags = (folder / "sources/build.ninja").read_text()
    own = re.search(r"build CMakeFiles/hello_world\.dir/hello_world\.cpp\.o:.*?FLAGS = (.*?)\n", flags, re.S)[1]
    expect("-Wconversion" not in own, f"a program that uses the engine gets its warnings: {own}")
    return sources


def check_examples(build, folder):
    installed, sources = build_with_installed(build, folder), build_with_sources(build, folder)
    expect(sources == installed, f"other bits: {sources} {installed}")


def contents(package):
    lines = run("dpkg-deb", "--contents", package).splitlines()
    return {line.split(None, 5)[5].removeprefix(".") for line in lines if not line.startswith("d")}


def check_packages(build, folder):
    if not shutil.which("dpkg-shlibdeps"):
        return SKIPPED
    run("cpack", "--config", build / "CPackConfig.cmake", "-B", folder / "packages", cwd=folder)
    program, = (folder / "packages").glob("cairn_*.deb")
    library, = (folder / "packages").glob("libcairn-dev_*.deb")
    held = contents(program)
    for name in ("bin/cairn", "share/cairn/scenes/sandbox.json", "share/man/man1/cairn.1.gz",
                 "share/bash-completion/completions/cairn"):
        expect("/usr/" + name in held, f"{program.name} lacks /usr/{name}")
    expect(not any(name.startswith("/usr/include") for name in held), f"{program.name} holds headers")
    held = contents(library)
    expect("/usr/include/cairn/physics/world/world.h" in held, f"{library.name} lacks the header of the world")
    expect("/usr/include/cairn/physics/world/engine/world_impl.h" not in held, f"{library.name} holds what is not for programs")
    expect(any(name.endswith("libcairn_physics.a") for name in held), f"{library.name} lacks the library")
    depends = run("dpkg-deb", "--field", program, "Depends")
    expect("libc6" in depends and "libzstd1" in depends, f"{program.name} depends on: {depends}")

    root = folder / "root"
    run("dpkg-deb", "--extract", program, root)
    expect_own_data(root / "usr/bin/cairn", root / "usr/share/cairn/scenes", folder)
    expect(hash_of_tower(root / "usr/bin/cairn", cwd=folder, env=away_from_here()) == hash_of_tower(build / "cairn"),
           "the packed program takes other steps")
    for package in (program, library):
        print(f"{package.name}: {package.stat().st_size / 1e6:.1f} MB")


def check_portable(build, folder):
    root = folder / "root"
    (root / "proc").mkdir(parents=True)
    # The loader asks /proc where the program is.
    enter = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"]), "sh", "-c",
             'mount --rbind /proc "$0/proc" && exec chroot "$0" "$@"', root]
    tried = subprocess.run([*enter[:-1], "/", "true"], capture_output=True, text=True)
    if tried.returncode != 0:
        print(f"the root folder cannot be changed here: {tried.stderr.strip()}")
        return SKIPPED
    run("ninja", "-C", build, "portable")
    archive = max((build / "portable").glob("cairn-*.tar.gz"), key=lambda path: path.stat().st_mtime)
    with tarfile.open(archive) as packed:
        packed.extractall(root)
    inside, = root.glob("cairn-*")
    program = inside / "bin/cairn"
    # What the loader takes from elsewhere comes into the root, if it may.
    taken = []
    for line in run("ldd", program, env=away_from_here()).splitlines():
        name, _, place = line.strip().partition(" => ")
        path = (place or name).split(" (")[0].strip()
        if not path.startswith("/"):
            expect("not found" not in line, line)
            continue
        if pathlib.Path(path).resolve().is_relative_to(inside.resolve()):
            continue
        file_name = pathlib.Path(path).name
        expect(OF_THE_MACHINE.match(file_name), f"{file_name} comes from outside")
        to = root / path.lstrip("/")
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, to)
        taken.append(file_name)
    here = "/" + str(program.relative_to(root))
    said = run(*enter, here, "check", "builtin:sandbox", env=away_from_here())
    expect(": ok, " in said, said)
    expect(hash_of_tower(*enter, here, env=away_from_here()) == hash_of_tower(build / "cairn"),
           "the portable program takes other steps")
    # The root must be what makes the difference: without the libraries of the archive nothing starts.
    (inside / "lib").rename(inside / "elsewhere")
    expect(subprocess.run([*enter, here, "--version"], capture_output=True).returncode != 0,
           "the program runs without the libraries of the archive")
    print(f"{archive.name}: {archive.stat().st_size / 1e6:.1f} MB; of the machine: {' '.join(sorted(taken))}")


def main():
    checks = {"install": check_install, "examples": check_examples,
              "packages": check_packages, "portable": check_portable}
    if len(sys.argv) != 3 or sys.argv[1] not in checks:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        try:
            return checks[sys.argv[1]](pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(folder)) or 0
        except Failure as failure:
            print(failure, file=sys.stderr)
            return 1


if __name__ == "__main__":
    sys.exit(main())
