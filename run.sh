#!/usr/bin/env bash
# Installs what is missing, builds Cairn, and runs it with the arguments given: ./run.sh --help lists them.
set -u
source_dir=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
. "$source_dir/cmake/setup.sh"

prepare() {
    # The tests need packages of their own; ./test.sh turns them on in the same folder, and there they stay on.
    local settings=()
    grep -qs '^CAIRN_TESTS:BOOL=ON$' "$source_dir/build/release/CMakeCache.txt" || settings=(CAIRN_TESTS=OFF)
    configure release "${settings[@]}" && build release cairn
}

ensure_packages build window
alone_in release prepare || fail 'the build failed; the messages above say why'
exec "$source_dir/build/release/cairn" "$@"
