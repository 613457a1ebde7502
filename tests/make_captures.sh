#!/bin/sh
# Records tests/captures/NAME.cairn anew for every scenes/NAME.json: 300 steps each. To be run after a change that is
# meant to change the motion, with the program given (default: the release build).
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cairn=${1:-$root/build/release/cairn}
[ -x "$cairn" ] || { echo "error: $cairn: build it first, or name the program" >&2; exit 2; }
mkdir -p "$root/tests/captures"
for scene in "$root"/scenes/*.json; do
    name=$(basename "$scene" .json)
    [ "$name" = scene.schema ] && continue
    "$cairn" simulate "$scene" --steps 300 --capture "$root/tests/captures/$name.cairn"
done
"$cairn" verify "$root"/tests/captures/*.cairn
