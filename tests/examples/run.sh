# SPDX-License-Identifier: MIT
#
# tests/examples/run.sh - functions that run an example on many maps
#
# A script sets `example`, the name of the program, and `arguments`, sources
# this file, calls the functions below and ends with `plan`.  It may set
# `generator`, the example whose script writes the maps, and `program`.

set -u
work=$(mktemp -d "${TMPDIR:-/tmp}/examples.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
count=0
failed=0

# result STATUS PROMISE: prints a line of TAP, and after a failure all output.
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

# map MAP-OPTIONS...: writes a map.
map() {
	: >"$work/out"
	rm -rf "$work/run"
	"$TCLSH" "$top_srcdir/examples/${generator:-$example}.map.tcl" "$@" \
	    >"$work/map" 2>"$work/err"
}

# run_map: runs the program on the map; replaces this shell.
run_map() {
	# shellcheck disable=SC2086 # the arguments are words
	exec timeout -k 1 100 "$EVENTSPACE" run "$work/map" -o "$work/run" -- \
	    "${program:-$top_builddir/examples/$example}" $arguments \
	    >"$work/out" 2>"$work/err"
}

# run_on MAP-OPTIONS...: runs the program on a map; returns its status.
run_on() {
	map "$@" && (run_map)
}

# Prints the result of the program, without the number of threads.
answer() {
	sed -n "s/^$example: [0-9]* threads, //p" "$work/out"
}

# gives ANSWER PROMISE MAP-OPTIONS...: the program ends with status 0 and this
# result.
gives() {
	want=$1
	promise=$2
	shift 2
	run_on "$@"
	status=$?
	[ $status = 0 ] && [ "$(answer)" = "$want" ]
	result $? "$promise"
}

# fails TEXT PROMISE MAP-OPTIONS...: the program ends with status 1, and TEXT is
# on standard error.
fails() {
	text=$1
	promise=$2
	shift 2
	run_on "$@"
	status=$?
	[ $status = 1 ] && grep -q "$text" "$work/err"
	result $? "$promise"
}

# Prints the child processes of a process.
children() {
	cat "/proc/$1/task/$1/children" 2>/dev/null
}

# Prints a descendant that is a process of the program and has used CPU time for
# a quarter of a second, so that all processes are connected.
working_process() {
	for process in $(children "$1"); do
		ticks=$(cut -d ' ' -f 14 "/proc/$process/stat" 2>/dev/null)
		grep -qs '^eventspace' "/proc/$process/comm" ||
		    [ "${ticks:-0}" -lt $(($(getconf CLK_TCK) / 4)) ] ||
		    { echo "$process" && return; }
		working_process "$process" && return
	done
	return 1
}

# loses PROMISE MAP-OPTIONS...: the program ends with status 1 after one of its
# processes was killed.
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
	until victim=$(working_process $running); do
		kill -0 $running 2>/dev/null || break
		sleep 0.1
	done
	kill -9 "$victim"
	wait $running
	[ $? = 1 ] && grep -q 'killed by signal 9' "$work/err"
	result $? "$promise"
}
