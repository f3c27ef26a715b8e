# SPDX-License-Identifier: MIT
#
# tests/mpi/waiting.awk - compares the waits of a run with those of waiting.c
#
#	awk -f waiting.awk CALLS TRUTH.RANK...
#
# CALLS has a line for each MPI call of the run, as waiting.tap queries them:
#
#	RANK,FUNCTION,NTH,START_NS,STOP_NS,WAIT_NS,CULPRIT,PATTERN
#
# A rank that loses its core between a stamp of the program and that of the
# interposer gives both another wait.  A round in which the stamps of a rank are
# further apart than usual is left out of both sums.  Prints
#
#	CASE TRUTH_US FOUND_US PER_MILLE WAITS WRONG_CULPRITS KEPT ROUNDS PATTERN
#
# and at the end "missing N", calls that the run does not have.

FNR == 1 {
	rank = FILENAME
	sub(/.*\./, "", rank)
}

NR == FNR {
	split($0, f, ",")
	key = f[1] " " f[2] " " f[3]
	start[key] = f[4]
	stop[key] = f[5]
	wait[key] = f[6]
	culprit[key] = f[7]
	pattern[key] = f[8]
	next
}

{
	call = rank " " $3 " " $4
	begin = rank " " $9 " " $10
	if (!(call in start) || !(begin in start)) {
		missing++
		next
	}
	n++
	name[n] = $1
	round[n] = $1 " " $2
	truth[n] = $7
	who[n] = $8
	call_of[n] = call
	# The interposer stamps the start of a call after the program, and its
	# end before it.
	gap[n, 1] = start[call] - $5
	gap[n, 2] = start[begin] - $11
	gap[n, 3] = $6 - stop[call]
	for (i = 1; i < 3; i++)
		if (n == 1 || gap[n, i] < least)
			least = gap[n, i]
	if (n == 1 || gap[n, 3] < least_end)
		least_end = gap[n, 3]
}

END {
	for (i = 1; i <= n; i++) {
		rounds[name[i]] += !(round[i] in lost)
		lost[round[i]] += gap[i, 1] - least > limit ||
		    gap[i, 2] - least > limit || gap[i, 3] - least_end > limit
	}
	for (i = 1; i <= n; i++) {
		at = name[i]
		kept[at] += 0
		if (lost[round[i]])
			continue
		if (!(round[i] in counted)) {
			counted[round[i]] = 1
			kept[at]++
		}
		want[at] += truth[i]
		found[at] += wait[call_of[i]]
		if (truth[i] < 1000000)
			continue
		waits[at]++
		# -2: two ranks were late by nearly the same time.
		wrong[at] += who[i] != -2 && who[i] != culprit[call_of[i]]
		patterns[at] = pattern[call_of[i]]
	}
	for (at in rounds) {
		error = 0
		if (want[at] > 0)
			error = 1000 * (found[at] - want[at]) / want[at]
		print at, int(want[at] / 1000), int(found[at] / 1000), error,
		    waits[at] + 0, wrong[at] + 0, kept[at], rounds[at],
		    patterns[at]
	}
	print "missing", missing + 0
}
