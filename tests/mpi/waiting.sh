# SPDX-License-Identifier: MIT
#
# tests/mpi/waiting.sh - compares the waits of a run with those of its program

# A stamp is this much later than usual if the rank lost its core: less than
# 0.5 % of the shortest wait.
limit_ns=5000

# Waits of each call of each rank.
calls="SELECT c.process AS rank, e.op, row_number() OVER (
        PARTITION BY c.process, e.op ORDER BY e.start_ns) AS n,
        e.start_ns, e.stop_ns, ifnull(w.ns, 0) AS ns,
        ifnull(w.culprit, -1) AS culprit, ifnull(w.pattern, '') AS pattern
    FROM event e JOIN collector c USING (collector)
    LEFT JOIN (SELECT collector, seq, sum(stop_ns - start_ns) AS ns, culprit,
        replace(pattern, ',', '') AS pattern FROM waits_at WHERE culprit IS NOT NULL
        GROUP BY collector, seq) w USING (collector, seq)
    WHERE e.op NOT LIKE '(%' AND e.op NOT LIKE '%!_init' ESCAPE '!'"

query() {
	"$EVENTSPACE" sql --quiet --csv "$work/run" "$1" 2>>"$work/err" |
	    tail -n +2 | tr -d '\r'
}

# compare_waits MPI PROGRAM ARGUMENTS...: runs a program that includes
# waiting_private.h and compares its waits; prints them to $work/waits.
compare_waits() {
	compared_mpi=$1
	shift
	rm -f "$work"/truth.* "$work"/file.*
	watch "$compared_mpi" 4 trace,profile "$@" || return 1
	query "$calls" >"$work/calls"
	awk -v limit="$limit_ns" -f "$programs/waiting.awk" "$work/calls" \
	    "$work"/truth.[0-3] >"$work/waits"
}

# compare_calls: prints what onesided.awk finds in a run of onesided.c.
compare_calls() {
	query "SELECT 'call' AS what, c.process AS rank, e.op, row_number() OVER (
	        PARTITION BY c.process, e.op ORDER BY e.start_ns) AS n,
	        e.start_ns, e.stop_ns
	    FROM event e JOIN collector c USING (collector)" |
	    tr ',' ' ' >"$work/calls"
	query "SELECT 'wait' AS what, c.process AS rank, w.op, w.since_ns,
	        w.stop_ns - w.start_ns AS ns, w.pattern
	    FROM waits_at w JOIN collector c USING (collector)
	    WHERE w.culprit IS NOT NULL" | tr ',' ' ' >"$work/waits"
	cat "$work"/truth.[0-9]* >"$work/told"
	awk -f "$programs/onesided.awk" "$work/told" "$work/calls" "$work/waits"
}
