# SPDX-License-Identifier: MIT
#
# tests/examples/run.sh - run an example on many maps; the scripts here read it
#
# A script sets `example` and `arguments`, those of the program, reads this
# file, calls the functions below and ends with `plan`.

set -u
work=$(mktemp -d "${TMPDIR:-/tmp}/examples.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
count=0
failed=0

# result STATUS PROMISE: one line of TAP, with what was said after a failure.
result() {
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $count - $2"
	else
		failed=$((failed + 1))
		echo "not ok $count - $2"
		sed 's/^/# /' "$work/out" "$work/err"
	fi
}

plan() {
	echo "1..$count"
	[ $failed = 0 ]
}

# run_on MAP-OPTIONS...: run the program on such a map; its status.
run_on() {
	: >"$work/out"
	"$TCLSH" "$top_srcdir/examples/$example.map.tcl" "$@" \
	    >"$work/map" 2>"$work/err" || return
	rm -rf "$work/run"
	# shellcheck disable=SC2086 # the arguments are words
	timeout 100 "$EVENTSPACE" run "$work/map" -o "$work/run" -- \
	    "$top_builddir/examples/$example" $arguments \
	    >"$work/out" 2>"$work/err"
}

# What the program found, whatever the number of threads.
answer() {
	sed -n "s/^$example: [0-9]* threads, //p" "$work/out"
}

# gives ANSWER PROMISE MAP-OPTIONS...
gives() {
	want=$1
	promise=$2
	shift 2
	run_on "$@"
	status=$?
	[ $status = 0 ] && [ "$(answer)" = "$want" ]
	result $? "$promise"
}

# fails TEXT PROMISE MAP-OPTIONS...: status 1, TEXT in what is said.
fails() {
	text=$1
	promise=$2
	shift 2
	run_on "$@"
	status=$?
	[ $status = 1 ] && grep -q "$text" "$work/err"
	result $? "$promise"
}
