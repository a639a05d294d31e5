# shellcheck shell=bash
# A screen in memory for the scripts that show the window where there is none.
# Sourced after lib.sh. start_screen, then show_window; stop_screen cleans up
# and is called on exit.

SCREEN_PID='' WINDOW_PID='' SCREEN_DIR=''

stop_screen() {
	local pid
	for pid in $WINDOW_PID $SCREEN_PID; do
		kill "$pid" 2>/dev/null || true
		wait "$pid" 2>/dev/null || true
	done
	WINDOW_PID='' SCREEN_PID=''
	[ -z "$SCREEN_DIR" ] || rm -rf "$SCREEN_DIR"
	SCREEN_DIR=''
}
trap stop_screen EXIT
trap 'exit 130' INT TERM

# start_screen starts Xvfb on a free display and points DISPLAY at it.
start_screen() {
	SCREEN_DIR=$(mktemp -d)
	mkfifo "$SCREEN_DIR/number"
	Xvfb -displayfd 5 -screen 0 1600x1000x24 -nolisten tcp -noreset \
		5>"$SCREEN_DIR/number" 2>"$SCREEN_DIR/log" &
	SCREEN_PID=$!
	local number=''
	if ! read -r -t 60 number <"$SCREEN_DIR/number"; then
		cat "$SCREEN_DIR/log" >&2
		die "Xvfb, the screen in memory, did not start."
	fi
	export DISPLAY=":$number"
	unset WAYLAND_DISPLAY
	# No graphics card behind this screen: OpenGL is computed.
	export LIBGL_ALWAYS_SOFTWARE=1
	export NO_AT_BRIDGE=1
	# Without letters beyond ASCII a window is named without the signs that show_window looks for.
	[ "$(locale charmap 2>/dev/null)" = UTF-8 ] || export LC_ALL=C.UTF-8
	mkdir -p "$SCREEN_DIR/runtime" "$SCREEN_DIR/config"
	chmod 700 "$SCREEN_DIR/runtime"
	export XDG_RUNTIME_DIR="$SCREEN_DIR/runtime"
	# Settings and records of a person stay untouched.
	export XDG_CONFIG_HOME="$SCREEN_DIR/config" XDG_DATA_HOME="$SCREEN_DIR/data"
}

# picture_sum is a number for what the screen shows now.
picture_sum() { import -window root -depth 8 rgb:- 2>/dev/null | cksum; }

# picture_colours counts the colours on the screen.
picture_colours() { import -window root -format '%k' info:- 2>/dev/null || echo 0; }

# show_window PROGRAM ARGUMENT… starts it and returns when its window is drawn:
# its title says that the history is loaded, it shows more than a flat colour, and two
# pictures half a second apart are equal. One that never says so is a failure.
show_window() {
	"$@" >"$SCREEN_DIR/out" 2>&1 &
	WINDOW_PID=$!
	local deadline=$((SECONDS + 180)) before after
	until xdotool search --onlyvisible --name Palimpsest >/dev/null 2>&1; do
		still_running
		[ "$SECONDS" -lt "$deadline" ] || { cat "$SCREEN_DIR/out" >&2; die "No window named Palimpsest appeared within 3 minutes."; }
		sleep 0.2
	done
	# The title is "Palimpsest — history", with " …" at its end until that is loaded.
	until xdotool search --onlyvisible --name 'Palimpsest — .*([^ ]…|[^…])$' >/dev/null 2>&1; do
		still_running
		[ "$SECONDS" -lt "$deadline" ] || { cat "$SCREEN_DIR/out" >&2; die "The history was not loaded within 3 minutes."; }
		sleep 0.2
	done
	before=$(picture_sum)
	while [ "$SECONDS" -lt "$deadline" ]; do
		sleep 0.5
		still_running
		after=$(picture_sum)
		if [ "$before" = "$after" ] && [ "$(picture_colours)" -gt 8 ]; then
			return 0
		fi
		before=$after
	done
	[ "$(picture_colours)" -gt 8 ] || die "The window stayed empty for 3 minutes."
}

still_running() {
	kill -0 "$WINDOW_PID" 2>/dev/null && return 0
	cat "$SCREEN_DIR/out" >&2
	die "The program ended before its window was drawn."
}

# save_picture FILE writes what the screen shows.
save_picture() {
	mkdir -p "$(dirname "$1")"
	import -window root "$1"
}
