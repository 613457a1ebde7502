#!/bin/sh
# The pictures of docs/guide/lab.md, drawn by the program: tools/lab_pictures.sh PROGRAM. The build's target
# lab_pictures does the same.
set -e
program=$1
cd "$(dirname "$0")/.."
out=docs/images/lab
mkdir -p $out
draw() { # NAME LESSON STEP
    "$program" lab assets/lab/lessons.jsonl --line "$2" --step "$3" --size 800x500 --out "$out/$1.png"
}
draw gjk_ask 1 8
draw gjk_keep 1 9
draw grown_core 3 7
draw region 4 4
draw epa_nearest 7 18
draw epa_expand 7 19
draw axes 8 9
draw advancement 10 3
"$program" lab --algorithm shallow --step 4 --size 800x500 --out $out/plane.png
