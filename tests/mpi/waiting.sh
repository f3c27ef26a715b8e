# SPDX-License-Identifier: MIT
#
# tests/mpi/waiting.sh - compares the waits of a run with those of its program

# A stamp is this much later than usual if the rank lost its core: less than
# 0.5 % of the shortest wait.
limit_ns=5000

# Waits of each call of each rank, and the culprit and pattern of the longest part.
calls="SELECT c.process AS rank, e.op, row_number() OVER (
        PARTITION BY c.process, e.op ORDER BY e.start_ns) AS n,
        e.start_ns, e.stop_ns, ifnull(w.ns, 0) AS ns,
        ifnull(w.culprit, -1) AS culprit, ifnull(w.pattern, '') AS pattern
    FROM event e JOIN collector c USING (collector)
    LEFT JOIN (SELECT collector, seq, sum(stop_ns - start_ns) AS ns,
        max(stop_ns - start_ns), culprit, replace(pattern, ',', '') AS pattern
        FROM waits_at WHERE culprit IS NOT NULL
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

# collective_truth: prints the waits that a program with waiting_private.h
# stamped, as headline.awk reads them.
collective_truth() {
	awk 'function pattern_of(name, receives) {
		if (name ~ /^(named|any|gather|synchronous)/ && !receives)
			return "Late_Receiver"
		if (name !~ /^MPI_/)
			return "Late_Sender"
		if (name ~ /empty/)
			return "Wait_at_N_x_N,_No_Bytes"
		if (name ~ /Neighbor/)
			return "Late_Neighbour"
		if (name ~ /File/)
			return "Wait_at_File_Collective"
		if (name ~ /can-/)
			return "Early_Scan"
		if (name ~ /Barrier/)
			return "Wait_at_Barrier"
		if (name ~ /^MPI_(Reduce|Gatherv?)-/)
			return "Wait_at_Reduce"
		if (name ~ /^MPI_(Bcast|Scatterv?)-/)
			return "Late_Broadcast"
		return "Wait_at_N_x_N"
	    }
	    FNR == 1 {
		rank = FILENAME
		sub(/.*\./, "", rank)
	    }
	    # Even members receive, or the first one; that of the smaller group is
	    # rank 3.
	    {
		first = $1 ~ /-sub/ ? 3 : 0
		receives = rank == first || \
		    ($1 !~ /-sub|^gather/ && rank % 2 == 0)
		print rank, $3, $7, $8, pattern_of($1, receives)
	    }' "$work"/truth.[0-3]
}

# onesided_truth: prints those of onesided.c.
onesided_truth() {
	awk 'BEGIN {
		split("Create=Wait_at_Create Free=Wait_at_Free " \
		    "Fence=Wait_at_Fence Lock=Lock_Competition " \
		    "Progress=Wait_for_Progress", pairs)
		for (p in pairs) {
			split(pairs[p], pair, "=")
			name[pair[1]] = pair[2]
		}
	    }
	    { print $2, $3, $8, $9, ($7 in name ? name[$7] : $7) }' \
	    "$work"/truth.[0-3]
}

# headline MPI RANKS TRUTH PROGRAM ARGUMENTS...: runs a case alone in the default
# mode, and compares the first page with the waits that the function TRUTH
# prints; prints the result to $work/compared.  Returns 2 if no culprit is named
# because the machine was overloaded, and 3 if nothing waited.
headline() {
	headline_mpi=$1 headline_ranks=$2 headline_truth=$3
	shift 3
	rm -rf "$work/run"
	rm -f "$work"/truth.* "$work"/file.*
	: >"$work/compared"
	start "$headline_mpi" "$headline_ranks" "$EVENTSPACE" mpi -o \
	    "$work/run" -- "$@" || return 1
	"$EVENTSPACE" show --quiet "$work/run" >"$work/page" 2>"$work/err" ||
		return 1
	cp "$work/page" "$work/out"
	$headline_truth >"$work/waited" 2>>"$work/err"
	[ -s "$work/waited" ] || return 1
	awk -f "$programs/headline.awk" "$work/waited" "$work/page" \
	    >"$work/compared"
	! grep -q '^wrong: ' "$work/compared" || return 1
	! grep -q '^overloaded$' "$work/compared" || return 2
	! grep -q '^nothing$' "$work/compared" || return 3
}
