#!/bin/sh
# Records tests/captures/NAME.cairn anew for every scenes/NAME.json, 600 steps each, ten seconds (fewer where they
# would take megabytes), and played.cairn, in which every command comes up; played_earlier.cairn, of a build that knew
# fewer, is not made again. To be run when scenes come or change, with the program given (default: the release build;
# the target record_played must be built beside it). After a change that is meant to change the motion,
# `cairn verify --rebless` does it and says what has moved.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cairn=${1:-$root/build/release/cairn}
[ -x "$cairn" ] || { echo "error: $cairn: build it first, or name the program" >&2; exit 2; }
mkdir -p "$root/tests/captures"
for scene in "$root"/scenes/*.json; do
    name=$(basename "$scene" .json)
    [ "$name" = scene.schema ] && continue
    case $name in
    valley) steps=150 ;;
    *) steps=600 ;;
    esac
    "$cairn" simulate "$scene" --steps "$steps" --capture "$root/tests/captures/$name.cairn"
done
played=$(dirname "$cairn")/tests/golden/record_played
[ -x "$played" ] || { echo "error: $played: build it, too" >&2; exit 2; }
"$played" "$root/tests/captures/played.cairn"
"$cairn" verify "$root"/tests/captures/*.cairn
