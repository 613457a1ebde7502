#!/usr/bin/env bash
# Installs what is missing, builds Cairn and runs its tests. ./test.sh --help lists the runs.
set -u
source_dir=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
. "$source_dir/cmake/setup.sh"

usage() {
    cat <<'END'
usage: ./test.sh [RUN]... [--long] [-- CTEST-ARGUMENTS]

Each RUN adds one; without any, the plain run is meant.
  --plain      release build with g++: every test, those of the real window under Xvfb included
  --sanitize   the same tests under AddressSanitizer and UndefinedBehaviorSanitizer; a few of the window
  --tsan       the same tests under ThreadSanitizer, with most checks of pointers that --sanitize leaves out
  --clang      release build with clang: every test
  --headless   build without any OpenGL package: its tests, and that the program loads no graphics library
  --compilers  every scene's hash after 1000 steps with g++ and clang, each at -O1 and -O3, on 1 to 4 threads
  --clang-o1   the same with clang at -O1 only, on 1 and 3 threads: what differs most from the plain run
  --fuzz       a minute of fuzzing scene texts, query lines, meshes and captures (CAIRN_FUZZ_SECONDS: longer or shorter)
  --tidy       clang-tidy over every source file
  --package    the Debian packages and the portable archive: made, unpacked in empty roots and run there
  --all        all of these

  --long       also the tests that take minutes (sets CAIRN_LONG=1)
  -- ...       handed to ctest, as in: ./test.sh -- -R Gjk

Exit code: 0 all passed, 1 something failed, 2 wrong usage, 3 packages are missing and cannot be installed.
END
}

runs=()
ctest_arguments=()
while (($#)); do
    case $1 in
        --plain | --sanitize | --tsan | --clang | --headless | --compilers | --clang-o1 | --fuzz | --tidy | --package) runs+=("${1#--}") ;;
        --all) runs=(plain sanitize tsan clang headless compilers fuzz tidy package) ;;
        --long) export CAIRN_LONG=1 ;;
        --) shift && ctest_arguments=("$@") && break ;;
        -h | --help) usage && exit 0 ;;
        *)
            usage >&2
            fail "unknown argument '$1'" 2
            ;;
    esac
    shift
done
((${#runs[@]})) || runs=(plain)

jobs=$(nproc)
at_once=$((jobs + (jobs + 1) / 2)) # tests: those of the window wait for it half of their time
suppressions=$source_dir/cmake/sanitizers

# Runs ctest for one build folder. Passed tests move the progress line only; failures and the closing lines are shown.
run_tests() {
    local preset=$1 line log
    shift
    log=$source_dir/build/$preset/tests.log
    ctest --test-dir "$source_dir/build/$preset" -j "$at_once" --output-on-failure --no-label-summary --no-tests=error \
        "$@" "${ctest_arguments[@]}" </dev/null 2>&1 | tee "$log" | while IFS= read -r line; do
        if [[ $line =~ ^\ *([0-9]+/[0-9]+)\ Test\ +#[0-9]+:\ ([^ ]+).*\ Passed\  ]]; then
            progress "testing $preset: ${BASH_REMATCH[1]} ${BASH_REMATCH[2]}"
        elif [[ ! $line =~ ^\ *Start\ +[0-9]+: && $line != 'Internal ctest changing into'* && -n $line ]]; then
            end_progress
            printf '%s\n' "$line"
        fi
    done
    local rc=${PIPESTATUS[0]}
    end_progress
    return "$rc"
}

build_and_test() {
    local preset=$1
    shift
    configure "$preset" CAIRN_TESTS=ON && build "$preset" && run_tests "$preset" "$@"
}

# The headless program must run where no graphics library exists.
check_headless_libraries() {
    local program=$source_dir/build/headless/cairn libraries found
    libraries=$(ldd "$program") || return 1
    if found=$(grep -iE 'lib(GL|EGL|OpenGL|GLX|glfw|X11|xcb|wayland)' <<<"$libraries"); then
        printf 'the headless program loads graphics libraries:\n%s\n' "$found" >&2
        return 1
    fi
    printf 'the headless program loads no graphics library\n'
}

# The hashes in tests/golden hold for g++ and clang: compare_hashes THREAD-COUNTS PRESET...
compare_hashes() {
    local threads=$1 preset programs=()
    shift
    for preset in "$@"; do
        configure "$preset" CAIRN_TESTS=ON && build "$preset" print_hashes || return 1
        programs+=("$source_dir/build/$preset/tests/golden/print_hashes")
    done
    progress 'running the scenes'
    "$source_dir/tools/update_hashes.py" --check --threads "$threads" "${programs[@]}"
    local rc=$?
    end_progress
    return "$rc"
}

# Each target begins with the inputs in tests/fuzz/corpus and what earlier runs in this folder have found worth keeping.
# What makes one fail is left in build/fuzz.
fuzz() {
    configure asan-ubsan && build asan-ubsan fuzzers || return 1
    local target seconds=$(((${CAIRN_FUZZ_SECONDS:-60} + 3) / 4)) rc=0
    for target in scene query mesh capture; do
        local found=$source_dir/build/fuzz/corpus-$target log=$source_dir/build/fuzz/$target.log
        mkdir -p "$found"
        progress "fuzzing $target for $seconds s"
        # Memory: what the largest scene that a file may describe takes is refused by its size, not by this limit.
        if "$source_dir/build/asan-ubsan/tests/fuzz/${target}_fuzzer" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
            -max_len=65536 -artifact_prefix="$source_dir/build/fuzz/$target-" -print_final_stats=1 \
            "$found" "$source_dir/tests/fuzz/corpus/$target" >"$log" 2>&1; then
            end_progress
            printf '%s: %s inputs in %s s, nothing found\n' "$target" \
                "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" "$seconds"
        else
            end_progress
            tail -n 60 "$log"
            rc=1
        fi
    done
    return "$rc"
}

tidy() {
    configure clang CAIRN_TESTS=ON && build clang || return 1
    progress 'clang-tidy'
    # Generated code (the OpenGL loader) lies in the build folder and is not ours.
    run-clang-tidy -quiet -p "$source_dir/build/clang" -j "$jobs" "^$source_dir/(app|physics|render|tests)/.*\.cpp\$" \
        2>/dev/null | sed -e $'s/\e\\[[0-9;]*m//g' | grep -vE '^clang-tidy|^$' >"$source_dir/build/clang/tidy.log"
    local rc=${PIPESTATUS[0]}
    end_progress
    cat "$source_dir/build/clang/tidy.log"
    ((rc == 0)) && printf 'clang-tidy has nothing to say\n'
    return "$rc"
}

# What users get. A check that cannot be tried on this machine says so and fails nothing.
package() {
    local settings=() check rc=0
    grep -qs '^CAIRN_TESTS:BOOL=ON$' "$source_dir/build/release/CMakeCache.txt" || settings=(CAIRN_TESTS=OFF)
    configure release "${settings[@]}" && build release || return 1
    for check in install packages portable; do
        progress "packing: $check"
        python3 "$source_dir/tests/packaging/package_test.py" "$check" "$source_dir/build/release"
        case $? in
            0 | 77) ;;
            *) rc=1 ;;
        esac
    done
    end_progress
    return "$rc"
}

packages=(build window test)
[[ " ${runs[*]} " =~ \ (sanitize|clang|clang-o1|compilers|fuzz|tidy)\  ]] && packages+=(clang)
ensure_packages "${packages[@]}"

# What --long adds is chosen by the tests themselves, or has this label.
left_out='checks|long'
[[ ${CAIRN_LONG:-} == 1 ]] && left_out=checks

failed=()
for run in "${runs[@]}"; do
    started=$SECONDS
    printf '== %s\n' "$run"
    case $run in
        plain) alone_in release build_and_test release ;;
        sanitize)
            # Leaks inside Mesa and the X libraries are not ours; everything of ours is reported and is fatal.
            # intercept_tls_get_addr=0: on a call of __tls_get_addr the runtime takes a thread's block whose address is 16
            # modulo 4096 for one of glibc 2.19 and reads its size from what lies before it. One heap in 256 is laid out
            # so, and there the leak check reads far outside and dies ("Tracer caught signal 11").
            ASAN_OPTIONS="detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1:check_initialization_order=1:intercept_tls_get_addr=0" \
                LSAN_OPTIONS="suppressions='$suppressions/leaks.supp':print_suppressions=0" \
                UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1" \
                alone_in asan-ubsan build_and_test asan-ubsan -LE "$left_out"
            ;;
        tsan)
            # The software rasteriser's own threads are not instrumented, so it gets none.
            TSAN_OPTIONS="suppressions='$suppressions/races.supp':halt_on_error=1:second_deadlock_stack=1" LP_NUM_THREADS=0 \
                alone_in tsan build_and_test tsan -LE "$left_out"
            ;;
        clang) alone_in clang build_and_test clang -LE 'checks' ;;
        headless) alone_in headless build_and_test headless -LE 'checks' && check_headless_libraries ;;
        compilers) alone_in clang-o1 compare_hashes 1,2,3,4 headless gcc-o1 clang-o1 clang-o3 ;;
        clang-o1) alone_in clang-o1 compare_hashes 1,3 clang-o1 ;;
        fuzz) alone_in asan-ubsan fuzz ;;
        tidy) alone_in clang tidy ;;
        package) alone_in release package ;;
    esac || failed+=("$run")
    printf '== %s: %d s\n' "$run" "$((SECONDS - started))"
done

if ((${#failed[@]})); then
    printf 'FAILED: %s\n' "${failed[*]}"
    exit 1
fi
