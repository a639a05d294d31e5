#!/usr/bin/env bash
# Builds Palimpsest and opens its window, on a history if one is named.
# Without a screen it shows the same window on a screen in memory, takes its
# picture, and does the main job on a sample with the verbs.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

file=${1:-}
[ -z "$file" ] || [ -e "$file" ] || die "There is no file $file."

has_screen() {
	[ "$(uname -s)" != Linux ] || [ -n "${DISPLAY:-}" ] || [ -n "${WAYLAND_DISPLAY:-}" ]
}

# One list of what is missing, before a build that takes minutes.
if ! has_screen; then scripts/deps.sh headless; fi
scripts/build.sh

if has_screen; then
	exec ./palimpsest ${file:+"$file"}
fi

say ""
say "There is no screen here (DISPLAY and WAYLAND_DISPLAY are empty): showing the window on a screen in memory instead."
# shellcheck source=scripts/xvfb.sh
source scripts/xvfb.sh
start_screen
show_window ./palimpsest ${file:+"$file"}
save_picture build/palimpsest.png
say "The window: $PWD/build/palimpsest.png"

input=${file:-$SAMPLE}
output=build/$(basename "${input%.*}").compacted.${input##*.}
say ""
say "The main job, on $input:"
./palimpsest compact "$input" -o "$output" --force --db build/run.db
say ""
say "The result, $output:"
./palimpsest inspect "$output" --db build/run.db
say ""
say "With a screen, make run opens the window. All verbs: ./palimpsest --help"
