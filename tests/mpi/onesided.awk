# tests/mpi/onesided.awk - compares the waits of a run with those of onesided.c
#
# Reads three files: the lines of onesided, lines
# "call RANK FUNCTION NUMBER START STOP" of the trace, and lines
# "wait RANK FUNCTION START NS PATTERN...".  Prints a line "off" for each wait
# state and function whose sums differ by more than 0.5 %, a line "lost" with
# the number of rounds that are left out, and a line "kept" with that of the
# others.
#
# In each round the stamps of the program before and after a call are compared
# with those of the trace.  They differ by a constant, or else the rank lost its
# core between them; then the round is left out of both sums.  The limit of this
# difference is 0.5 % of the shortest wait: after a sleep, a stamp is often 10 us
# later than usual.

function abs(x) {
	return x < 0 ? -x : x
}

BEGIN {
	limit = 20000
	split("Create=Wait_at_Create Free=Wait_at_Free Fence=Wait_at_Fence " \
	    "Early_Fence=Early_Fence Late_Post=Late_Post " \
	    "Early_Wait=Early_Wait Late_Complete=Late_Complete " \
	    "Lock=Lock_Competition Progress=Wait_for_Progress " \
	    "Late_Sender=Late_Sender", pairs)
	for (p in pairs) {
		split(pairs[p], pair, "=")
		name[pair[1]] = pair[2]
		compared[pair[2]]
	}
}

$1 == "call" {
	start[$2, $3, $4] = $5
	stop[$2, $3, $4] = $6
	next
}

$1 == "wait" {
	pattern = $6
	for (i = 7; i <= NF; i++)
		pattern = pattern "_" $i
	sub(/,_Wrong.*/, "", pattern)
	if (pattern in compared)
		found[$2, $3, $4, pattern] = $5
	next
}

{
	lines++
	round[lines] = $1
	call[lines] = $2 SUBSEP $3 SUBSEP $4
	caller[lines] = $2 SUBSEP $3
	enter[lines] = $5
	leave[lines] = $6
	reason[lines] = $7
	ns[lines] = $8
	rounds[$1]
}

END {
	# The offset of the clocks: the smallest difference, as any delay between
	# the stamp of the program and that of the trace makes it larger.
	for (n = 1; n <= lines; n++) {
		if (!(call[n] in start)) {
			print "off: no call", call[n]
			exit
		}
		d = start[call[n]] - enter[n]
		if (n == 1 || d < offset)
			offset = d
	}
	for (n = 1; n <= lines; n++)
		if (start[call[n]] - enter[n] - offset > limit ||
		    leave[n] + offset - stop[call[n]] > limit)
			lost[round[n]]
	for (n = 1; n <= lines; n++) {
		if (round[n] in lost || call[n] in done && reason[n] == "-")
			continue
		if (reason[n] != "-")
			want[name[reason[n]], caller[n]] += ns[n]
		if (call[n] in done)
			continue
		done[call[n]]
		split(call[n], part, SUBSEP)
		for (pattern in compared) {
			key = part[1] SUBSEP part[2] SUBSEP start[call[n]] \
			    SUBSEP pattern
			if (key in found) {
				got[pattern, caller[n]] += found[key]
				all += found[key]
			}
		}
	}
	for (key in want)
		either[key]
	for (key in got)
		either[key]
	# A wait of some us may be seen by only one of the two.
	for (key in either) {
		split(key, part, SUBSEP)
		sums[part[1], part[3], "want"] += want[key]
		sums[part[1], part[3], "got"] += got[key]
		what[part[1], part[3]]
	}
	for (key in what) {
		split(key, part, SUBSEP)
		w = sums[part[1], part[2], "want"]
		g = sums[part[1], part[2], "got"]
		printf "%s %s %.3f ms want, %.3f ms got\n", part[1], part[2],
		    w / 1e6, g / 1e6
		if (abs(g - w) > w / 200 + all / 10000)
			print "off: " part[1], part[2]
	}
	for (r in rounds)
		count[r in lost ? "lost" : "kept"]++
	print "lost", count["lost"] + 0
	print "kept", count["kept"] + 0
}
