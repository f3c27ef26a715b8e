# SPDX-License-Identifier: MIT
#
# tests/scopes/export/export.sh - functions that compare an export with its run
#
# The script that sources this file defines $folder, $tests (this folder),
# verdict and skip.

installed() {
	command -v "$1" >/dev/null 2>&1
}

# ends CODE ARGS...: eventspace ends with this status; output is in out and err.
ends() {
	code=$1
	shift
	"$EVENTSPACE" "$@" >"$folder/out" 2>"$folder/err" </dev/null
	[ $? = "$code" ]
}

# sql RUN QUERY: prints the rows of a query, without quotes.
sql() {
	"$EVENTSPACE" sql --quiet --csv "$1" "$2" 2>>"$folder/err" |
	    tail -n +2 | tr -d '\r"'
}

export_name="op || ifnull(' ' || (SELECT name FROM element
    WHERE element.element = e.element), '')"
export_process="(SELECT p.name FROM collector JOIN process p USING (process)
    WHERE collector.collector = e.collector)"

export_all="(SELECT *, 1 AS call FROM event
    UNION ALL SELECT *, 0 FROM event_part)"

# tuples RUN: prints a line for each tuple as CTF has it, in the form of read.py.
tuples() {
	sql "$1" "SELECT 'event ' || $export_process || ' ' || $export_name || ' ' ||
	    (seq % 4294967296) || ' ' || start_ns || ' ' || ifnull(stop_ns, '-')
	    AS line FROM $export_all e" |
	    LC_ALL=C sort
}

# shown RUN: prints the lines of `tuples`, with the parts of calls as points.
shown() {
	sql "$1" "SELECT iif(call, 'event ', 'point ') || $export_process || ' ' ||
	    $export_name || ' ' || seq || ' ' ||
	    CASE WHEN call THEN start_ns || ' ' || ifnull(stop_ns, '-')
		WHEN op = '(completed)' THEN stop_ns ELSE start_ns END
	    AS line FROM $export_all e" | LC_ALL=C sort
}

# calls RUN: prints the lines of `tuples` as OTF2 stores them: without seq and
# without the parts of calls.  An open operation ends with the trace.
calls() {
	sql "$1" "SELECT 'event ' || $export_process || ' ' || $export_name || ' - ' ||
	    start_ns || ' ' || ifnull(stop_ns,
		(SELECT max(ifnull(stop_ns, start_ns)) FROM event))
	    AS line FROM event e" | LC_ALL=C sort
}

# read_back FORMAT FILE: reads an export into $folder/got.
read_back() {
	case $1 in
	chrome) cp "$2" "$folder/text" ;;
	perfetto)
		protoc --proto_path="$tests" --decode=perfetto.Trace \
		    perfetto.proto <"$2" >"$folder/text" 2>"$folder/err" ||
		    return 1
		;;
	otf2)
		{
			otf2-print -G "$2/traces.otf2" &&
			    otf2-print "$2/traces.otf2"
		} >"$folder/text" 2>"$folder/err" || return 1
		[ ! -s "$folder/err" ] || return 1
		;;
	ctf)
		babeltrace2 "$2" >"$folder/text" 2>"$folder/err" || return 1
		[ ! -s "$folder/err" ] || grep -q discarded "$folder/err" ||
		    return 1
		;;
	esac
	python3 "$tests/read.py" "$1" "$folder/text" 2>"$folder/err" |
	    LC_ALL=C sort >"$folder/got"
}

tool() {
	case $1 in
	chrome) installed python3 ;;
	perfetto) installed python3 && installed protoc ;;
	ctf) installed python3 && installed babeltrace2 ;;
	otf2) installed python3 && installed otf2-print ;;
	csv) installed sqlite3 ;;
	esac
}

agree() {
	diff "$folder/want" "$folder/got" >"$folder/diff" && [ -s "$folder/want" ]
}

# built FORMAT: tests that this eventspace was built with the format.
built() {
	[ "$1" != otf2 ] ||
	    ! "$EVENTSPACE" export /nowhere --format otf2 -o x 2>&1 |
	    grep -q 'built without'
}

# waited RUN: a case, in which the metrics of OTF2 have the sums of waits_for.
waited() {
	awk '$1 == "waiting" { ns[$2] += $3 }
	    END { for (name in ns) printf "%s %.0f\n", name, ns[name] }' \
	    "$folder/requests" | LC_ALL=C sort >"$folder/got"
	sql "$1" "SELECT p.name || ' ' || sum(wait_ns) AS line FROM waits_for w
	    JOIN thread t ON t.thread = w.waiter
	    JOIN process p USING (process)
	    GROUP BY p.name HAVING sum(wait_ns) > 0" |
	    LC_ALL=C sort >"$folder/want"
	agree
	verdict "otf2: $2, the waiting time of each process"
}

# holds FORMAT RUN NAME: a case, in which an export has the events of the run.
# Its arrows are in $folder/arrows.
holds() {
	rm -rf "$folder/x"
	if ! built "$1" || ! tool "$1"; then
		skip "$1: $3, event by event" 'its tools are not installed'
		return 1
	fi
	case $1 in
	ctf) tuples "$2" ;;
	otf2) calls "$2" ;;
	*) shown "$2" ;;
	esac >"$folder/want"
	ends 0 export --quiet "$2" --format "$1" -o "$folder/x" &&
	    read_back "$1" "$folder/x" &&
	    { grep '^arrow' "$folder/got" >"$folder/arrows" || :; } &&
	    { grep -E '^(collective|request|source|rma|access|waiting)' "$folder/got" \
		>"$folder/requests" || :; } &&
	    grep -vE '^(arrow|dropped|collective|request|source|rma|access|waiting)' \
		"$folder/got" >"$folder/events" &&
	    mv "$folder/events" "$folder/got" && agree
	verdict "$1: $3, event by event"
}
