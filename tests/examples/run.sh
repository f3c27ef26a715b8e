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

# map MAP-OPTIONS...: write such a map.
map() {
	: >"$work/out"
	rm -rf "$work/run"
	"$TCLSH" "$top_srcdir/examples/$example.map.tcl" "$@" \
	    >"$work/map" 2>"$work/err"
}

# run_map: run the program on that map, in this shell's place.
run_map() {
	# shellcheck disable=SC2086 # the arguments are words
	exec timeout -k 1 100 "$EVENTSPACE" run "$work/map" -o "$work/run" -- \
	    "$top_builddir/examples/$example" $arguments \
	    >"$work/out" 2>"$work/err"
}

# run_on MAP-OPTIONS...: run the program on such a map; its status.
run_on() {
	map "$@" && (run_map)
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

# The processes that a process has started.
children() {
	cat "/proc/$1/task/$1/children" 2>/dev/null
}

# A process of the program, below that of `timeout`, that has computed for so
# long, a quarter of a second, that all have met.
somebody_at_work() {
	for run in $(children "$1"); do
		for process in $(children "$run"); do
			ticks=$(cut -d ' ' -f 14 "/proc/$process/stat" 2>/dev/null)
			[ "${ticks:-0}" -ge $(($(getconf CLK_TCK) / 4)) ] &&
			    echo "$process" && return
		done
	done
	return 1
}

# loses PROMISE MAP-OPTIONS...: status 1 when a process is killed at work.
loses() {
	promise=$1
	shift
	if [ ! -r "/proc/$$/task/$$/children" ]; then
		result 0 "$promise # SKIP this kernel does not list children"
		return
	fi
	map "$@" || return
	(run_map) &
	running=$!
	until victim=$(somebody_at_work $running); do
		kill -0 $running 2>/dev/null || break
		sleep 0.1
	done
	kill -9 "$victim"
	wait $running
	[ $? = 1 ] && grep -q 'killed by signal 9' "$work/err"
	result $? "$promise"
}
