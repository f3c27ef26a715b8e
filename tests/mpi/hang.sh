# SPDX-License-Identifier: MIT
#
# tests/mpi/hang.sh - programs that hang, are read live, and again after they
# were killed

# hang MODE WHAT...: starts ends WHAT in the background; its process id is in
# $running.
hang() {
	mode=$1
	shift
	# Here, because a reader of the last run would add files to it.
	rm -rf "$work/run"
	watch "$mpi" 4 "$mode" "$work/ends.$mpi" "$@" &
	running=$!
}

# Kills the ranks, which wait for ever.  A rank may start only now.
kill_ranks() {
	killed=' '
	while kill -0 "$running" 2>/dev/null; do
		all=
		for pid in $(told 'SELECT pid FROM process'); do
			case $killed in
			*" $pid "*) ;;
			*) all="$all $pid" killed="$killed$pid " ;;
			esac
		done
		# At once: else the launcher ends the others by other signals.
		[ -z "$all" ] || kill -9 $all
		sleep 0.1
	done
	wait "$running"
	while [ "$(told "SELECT value FROM meta WHERE key = 'live'")" = 1 ]; do
		sleep 0.1
	done
}

# told QUERY: prints rows of the live run.
told() {
	rm -f "$work/view.db"
	"$EVENTSPACE" scope --quiet --view mpi_inside -o "$work/view.db" \
	    "$work/run" >/dev/null 2>>"$work/told" || return
	"$EVENTSPACE" sql --quiet --csv "$work/view.db" "$1" \
	    2>>"$work/told" | tail -n +2 | tr -d '\r'
}

inside='SELECT count(*) FROM mpi_inside WHERE function ='

# all_in FUNCTION [COUNT]: waits until all four ranks are inside FUNCTION.
all_in() {
	tries=0
	until [ "$(told "$inside '$1'")" = "${2:-4}" ]; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] && kill -0 "$running" 2>/dev/null ||
		    return 1
		sleep 0.1
	done
}

circle='ranks 0 -> 1 -> 2 -> 3 -> 0 wait for each other'

deadlocks="SELECT text FROM diagnostic WHERE subject = 'deadlock'"

# cycle_named: tests that the deadlock is reported with the call of each rank.
cycle_named() {
	told "$deadlocks" >"$work/out"
	grep -q "$circle.*rank 0 in MPI_Recv.*rank 3 in MPI_Recv" "$work/out"
}

# place_named: tests that the last report has the source lines of the calls.
place_named() {
	grep -q 'rank 0 in MPI_Recv in end_deadlock@ends.c:[0-9]*,' "$work/out"
}

# live_line PROMISE PATTERN: waits until the first line of the live run matches.
live_line() {
	tries=0
	until first_line | grep -q "$2"; do
		tries=$((tries + 1))
		[ $tries -lt 300 ] && kill -0 "$running" 2>/dev/null || break
		sleep 0.1
	done
	grep -q "$2" "$work/out"
	result $? "$mpi, $1: the first line of the live run"
}

# killed_line PROMISE PATTERN: tests the first line after a kill.
killed_line() {
	kill_ranks
	first_line | grep -q "$2"
	result $? "$mpi, $1: the first line after the kill"
}

# stuck WHAT FUNCTION COUNT CYCLE RANKS LINE: COUNT ranks, RANKS, hang in FUNCTION,
# which does more than receive one message.  LINE is the part of the first line
# after the time in the call.
stuck() {
	hang trace "$1"
	all_in "$2" "$3"
	result $? "$mpi, $1: ranks are seen in $2"
	told "$deadlocks" >"$work/out"
	grep -q "ranks $4 wait for each other.* in $2 in .*@ends.c:" "$work/out"
	result $? "$mpi, $1: the cycle is reported"
	call="$2 in end_$1@ends.c:[0-9]*"
	[ "$1" != waitall ] || call="$2 in neighbours@ends.c:[0-9]*"
	case $5 in *,*) has='have been' was=were ;; *) has='has been' was=was ;; esac
	live_line "$1" "\(^\|\. \)$5 $has in $call for [0-9.]* s$6"
	killed_line "$1" "\(^\|\. \)$5 $was in $call$span when the run ended$6"
	told "$deadlocks" >"$work/out"
	grep -q "ranks $4 wait for each other" "$work/out"
	result $? "$mpi, $1: the cycle is proved after the ranks were killed"
}

# Ranks in the barriers of two communicators, which they enter in another order.
barriers() {
	call='in end_barriers@ends.c:[0-9]*'
	one='MPI_Barrier on MPI_COMM_WORLD'
	other='MPI_Barrier on comm 3 (of MPI_COMM_WORLD)'
	hang trace barriers
	all_in MPI_Barrier
	live_line barriers "^r0, r2 have been in $one $call for [0-9.]* s, waiting for\
 r1, r3\. r1, r3 have been in $other $call for [0-9.]* s, waiting for r0, r2\.\$"
	killed_line barriers "^r0, r2 were in $one $call$span when the run ended,\
 waiting for r1, r3\. r1, r3 were in $other $call$span when the run ended, waiting for\
 r0, r2\.\$"
}

deadlock() {
	hang "$1" deadlock 0 "$work/words"
	all_in MPI_Recv
	result $? "$mpi, $1: each rank is seen in its call"
	cycle_named
	result $? "$mpi, $1: the cycle is reported"
	# Mode matrix has no times, so there only the cycle is known.
	case $1 in
	matrix) live_line "deadlock, $1" "^$circle" ;;
	*) live_line "deadlock, $1" '^r0, r1, r2, r3 have been in MPI_Recv' ;;
	esac
	kill_ranks
	[ "$(told "$inside 'MPI_Recv'")" = 4 ]
	result $? "$mpi, $1: killed ranks are seen in their last calls"
}

# Ranks in different collectives of a communicator.
mixed() {
	names='MPI_Allreduce in r0, r1, r3 and MPI_Barrier in r2'
	tail="MPI_COMM_WORLD @ $names: all members must call the same function\.\$"
	hang trace mixed
	all_in MPI_Allreduce 3
	live_line mixed "^Collective 2 of $(echo "$tail" | sed 's/@/is/')"
	told "SELECT DISTINCT culprit FROM mpi_inside_for
	    WHERE rank IN (0, 2) ORDER BY rank, culprit" | tr '\n' ' ' \
	    >"$work/out"
	grep -qx '2 0 1 3 ' "$work/out"
	result $? "$mpi: ranks in different collectives wait for each other"
	told "$deadlocks" >"$work/out"
	grep -q 'ranks 0 -> 2 -> 0 wait.*0 in MPI_Allreduce.*2 in MPI_Barrier' \
	    "$work/out"
	result $? "$mpi: different collectives are a deadlock"
	killed_line mixed "^Collective 2 of $(echo "$tail" | sed 's/@/was/')"
	"$EVENTSPACE" sql --quiet --csv "$work/run" "SELECT text FROM diagnostic
	    WHERE subject = 'wait_state'" 2>>"$work/told" >"$work/out"
	grep -q '^4 of .* members of a communicator called different functions' \
	    "$work/out" && ! grep -q 'are missing' "$work/out"
	result $? "$mpi: calls of different functions are told as such"
}

# Ranks in one collective with different roots, and in different functions; the
# root of a broadcast does not wait for all members, and has left it with Open MPI.
roots() {
	hang trace roots
	all_in MPI_Bcast
	live_line roots "^Collective 2 of MPI_COMM_WORLD is MPI_Bcast with root r2 in\
 r0, r1, r3 and MPI_Bcast with root r0 in r2: all members must call the same\
 function with the same root\.\$"
	told "$deadlocks" >"$work/out"
	grep -q 'ranks 0 -> 2 -> 0 wait.*0 in MPI_Bcast.*2 in MPI_Bcast' \
	    "$work/out"
	result $? "$mpi: different roots are a deadlock"
	kill_ranks
	hang trace uneven
	all_in MPI_Barrier 1
	live_line uneven "^Collective 2 of MPI_COMM_WORLD is MPI_Bcast in r[01].* and\
 MPI_Barrier in r2: all members must call the same function\.\$"
	kill_ranks
}

# A receive with another tag than that of the message.
tag() {
	hang trace tag
	all_in MPI_Barrier 3
	live_line tag '^r1, r2, r3 have been in MPI_Barrier .* waiting for r0,'
	"$EVENTSPACE" show --quiet "$work/run" >"$work/out" 2>>"$work/told"
	grep -q '^r0 waits for tag 99 of r2; r2 has sent tag 9 to r0, which was not' \
	    "$work/out"
	result $? "$mpi: a message with another tag is told live"
	kill_ranks
	"$EVENTSPACE" show --quiet "$work/run" >"$work/out" 2>>"$work/told"
	grep -q '^r0 waited for tag 99 of r2; r2 had sent tag 9 to r0, which was not' \
	    "$work/out"
	result $? "$mpi: so it is after the ranks were killed"
}

# Receives of a Sendrecv and of a Waitall with other tags than the messages.
tags() {
	hang trace tags
	all_in MPI_Sendrecv 1 && all_in MPI_Waitall 1 && all_in MPI_Barrier 2
	kill_ranks
	"$EVENTSPACE" show --quiet "$work/run" >"$work/out" 2>>"$work/told"
	tail='which was not received\.'
	grep -q "^r1 waited for tag 98 of r3; r3 had sent tag 9 to r1, $tail r3 waited\
 for tags 96, 97 of r1; r1 had sent tag 7 to r3, $tail\$" "$work/out"
	result $? "$mpi: messages with other tags are told of Sendrecv and Waitall"
}

# first_line: prints the first sentence of the first page.
first_line() {
	rm -f "$work/run/view.db"
	"$EVENTSPACE" show --quiet "$work/run" 2>>"$work/told" | sed -n 2p |
	    tee "$work/out"
}

# Sentences from the notes of watchers, if the kernel has pidfd_open(2).
if "$EVENTSPACE" mpi -q -o "$work/probe" -- true && [ -e "$work/probe/ends" ]; then
	span=' for [0-9.]* s'
	before=' [0-9.]* s before its end'
	ended='killed (SIGKILL); \(r[0-3] ended first, [0-9.]* m*s before the next'
	ended="$ended rank\\|the first two ended within 1 ms of each other\\)"
else
	span='' before=''
	ended='killed (SIGKILL) or called _exit; which one ended first'
	ended="$ended is not recorded"
fi

# ends_apart TICKS...: writes the ends anew, each so many ticks after the first.
ends_apart() {
	sort -k 4n "$work/ends" | awk -v apart="$*" '
	    BEGIN { split(apart, after, " ") }
	    NR == 1 { first = $4 }
	    { $4 = sprintf("%.0f", first + after[NR]); print }' >"$work/run/ends"
}

# The least time between the first two ends that is told as an order is 1 ms;
# clocks have 0.1 to 10 ticks per ns.
order_of_ends() {
	promise="$mpi: ends that are some us apart prove no order"
	if [ ! -e "$work/run/ends" ]; then
		skip "$promise" 'the kernel lacks pidfd_open'
		return 0
	fi
	cp "$work/run/ends" "$work/ends"
	first=$(sort -k 4n "$work/ends" | sed -n '1s/.*@//p')
	ends_apart 0 50000 2000000000 3000000000
	page . '^All ranks were killed (SIGKILL); the first two ended within 1 ms' &&
	    ends_apart 0 50000000 2000000000 3000000000 &&
	    page . "^All ranks were killed (SIGKILL); r$first ended first, "
	result $? "$promise"
}

# A rank that is outside of MPI for ever: it sleeps, or computes.
astray() {
	call="MPI_Barrier in end_$1@ends.c:[0-9]*"
	hang trace "$1" 0 "$work/words"
	all_in MPI_Barrier 3
	live_line "$1" "^r0, r1, r3 have been in $call for [0-9.]* s, waiting for\
 r2, which left MPI [0-9.]* s ago after $call\.\$"
	killed_line "$1" "^r0, r1, r3 were in $call$span when the run ended,\
 waiting for r2, which left MPI$before after $call\.\$"
	[ "$1" = astray ] || return 0
	"$EVENTSPACE" show --quiet "$work/run" >"$work/out" 2>&1
	grep -q "^All ranks were $ended\. r2 was outside of MPI after $call\.\$" \
	    "$work/out"
	result $? "$mpi: the page tells that the ranks were killed"
	order_of_ends
}

# A hang that a user ends: the launcher of MPICH kills ranks before they note
# its SIGTERM.
ended() {
	hang trace deadlock 0 "$work/words"
	all_in MPI_Recv
	kill -TERM $(told 'SELECT pid FROM process WHERE process = 0')
	wait "$running"
	first_line | grep -q '^r0, r1, r2, r3 were in MPI_Recv in end_deadlock@'
	result $? "$mpi: a hang that SIGTERM ends comes first"
	"$EVENTSPACE" show --quiet "$work/run" >"$work/out" 2>&1
	grep -q "ended by signal 15[.,;]" "$work/out"
	result $? "$mpi: the page tells the signal"
}

# page FIRST ENDS: tests the first line, and that the page has a line ENDS.
page() {
	first_line | grep -q "$1" &&
	    "$EVENTSPACE" show --quiet "$work/run" >"$work/out" 2>&1 &&
	    grep -q "$2" "$work/out"
}

# Ends of the ranks of a deadlock that follow from the end of the launcher of
# Open MPI.  The ranks were killed; their ends are then written anew.
cleaned_up() {
	[ "$mpi" = openmpi ] || return 0
	promise="$mpi: a hang comes before"
	if [ ! -e "$work/run/ends" ]; then
		for ends in 'exits alike' 'SIGKILL after SIGTERM' \
		    'SIGKILL before SIGTERM' 'the uncounted calls' \
		    'two lines of signals'; do
			skip "$promise $ends" 'the kernel lacks pidfd_open'
		done
		return 0
	fi
	cp "$work/run/ends" "$work/ends"
	ends_apart 0 30000000 60000000 90000000
	cp "$work/run/ends" "$work/ends"
	hangs='^r0, r1, r2, r3 were in MPI_Recv in end_deadlock@'
	next='r[0-3] ended first, [0-9.]* [mun]*s before the next rank\.$'
	sed 's/^signal 9 /status 195 /' "$work/ends" >"$work/run/ends"
	page "$hangs" "^All ranks exited with status 195 without MPI_Finalize; $next"
	result $? "$promise exits alike"
	mixed="^1 of 4 ranks was ended by signal 15, the others were killed"
	for n in 1 4; do
		sort -k 4n "$work/ends" | sed "${n}s/^signal 9 /signal 15 /" \
		    >"$work/run/ends"
		[ $n = 1 ] && order=after || order=before
		page "$hangs" "$mixed (SIGKILL); $next"
		result $? "$promise SIGKILL $order SIGTERM"
	done
	grep -q '^The last calls are not counted: they had not returned' "$work/out"
	result $? "$promise the uncounted calls"
	sort -k 4n "$work/ends" | sed '1s/^signal 9 /signal 11 /
	    2s/^signal 9 /signal 15 /' >"$work/run/ends"
	others='r[0-3] was ended by signal 15'
	killed='r[0-3], r[0-3] were ended by signal 9'
	page . "^r[0-3] died of signal 11 .* \($others; $killed\|$killed; $others\)\."
	result $? "$mpi: ranks are named for each signal"
	sort -k 4n "$work/ends" | sed '1s/^signal 9 /signal 1 /
	    2s/^signal 9 /signal 15 /' >"$work/run/ends"
	page "$hangs" "^2 of 4 ranks were ended by signals (r[0-3] by [15]*; r[0-3] by\
 [15]*), the others were killed"
	result $? "$mpi: so they are when all were killed"
}

# Ranks that wait for locks of each other.
locks() {
	call='MPI_Win_[a-z]* in end_lock@ends.c:[0-9]*'
	hang trace lock
	# A reader with a view.db in the run directory comes after the ranks.
	tries=0
	until [ "$(told 'SELECT count(*) FROM process')" = 4 ]; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] && kill -0 "$running" 2>/dev/null || break
		sleep 0.1
	done
	tries=0
	until first_line | grep -q "^r0, r1, r2, r3 have been in $call for"; do
		tries=$((tries + 1))
		[ $tries -lt 300 ] && kill -0 "$running" 2>/dev/null || break
		sleep 0.1
	done
	grep -q "^r0, r1, r2, r3 have been in $call for" "$work/out"
	result $? "$mpi: the first line names ranks that wait for locks"
	kill_ranks
	first_line | grep -q "^r0, r1, r2, r3 were in $call$span when the run ended"
	result $? "$mpi: so it does for locks after the ranks were killed"
}

# Ranks that exchange messages are inside MPI nearly all the time.
no_deadlock() {
	hang "$1" "$2" 0 "$work/words"
	looks=0
	until [ $looks = 5 ]; do
		[ "$(told 'SELECT count(*) FROM process')" = 4 ] &&
		    looks=$((looks + 1))
		kill -0 "$running" 2>/dev/null || break
		[ -z "$(told "$deadlocks")" ] || break
	done
	[ $looks = 5 ]
	result $? "$mpi, $1, $2: ranks that make progress are not reported as stuck"
	kill_ranks
	[ -z "$(told "$deadlocks")" ]
	result $? "$mpi, $1, $2: killed ranks are not reported as stuck"
}
