#!/usr/bin/env bash
# Holds scenes to what they expect and captures to what they recorded, for continuous integration. Both are done, whatever
# the first one finds, and leave what a build server shows: test.xml, test.html, verify.xml, verify.html, and captures and
# pictures of scenes that fail.
#
#     guard.sh [--out FOLDER] [--] SCENE|CAPTURE|FOLDER...
#
# Captures are the files that end in .cairn; a folder stands for the scenes and the captures in it. Exit code: the greater
# one of `cairn test` and `cairn verify`. The program is $CAIRN, or cairn.
set -uo pipefail
shopt -s nullglob

cairn=${CAIRN:-cairn}
out=guard
usage() {
    printf 'error: %s\n' "$1" >&2
    exit 2
}
if [[ ${1:-} == --out ]]; then
    [[ $# -ge 2 ]] || usage "--out needs a folder"
    out=$2
    shift 2
fi
[[ ${1:-} != -- ]] || shift
[[ $# -gt 0 ]] || usage "name scenes, captures, or folders of them"
mkdir -p -- "$out" || exit 3

scenes=() captures=()
for given in "$@"; do
    if [[ -d $given ]]; then
        in_folder=("$given"/*.json)
        [[ ${#in_folder[@]} -eq 0 ]] || scenes+=("$given")
        captures+=("$given"/*.cairn)
    elif [[ $given == *.cairn ]]; then
        captures+=("$given")
    else
        scenes+=("$given")
    fi
done
[[ ${#scenes[@]} -gt 0 || ${#captures[@]} -gt 0 ]] || usage "there are no scenes and no captures in these folders"

code=0
if [[ ${#scenes[@]} -gt 0 ]]; then
    "$cairn" test --out "$out" --junit "$out/test.xml" --report "$out/test.html" -- "${scenes[@]}" || code=$?
fi
if [[ ${#captures[@]} -gt 0 ]]; then
    verified=0
    "$cairn" verify --junit "$out/verify.xml" --report "$out/verify.html" -- "${captures[@]}" || verified=$?
    [[ $verified -le $code ]] || code=$verified
fi
exit "$code"
