# SPDX-License-Identifier: MIT
#
# tests/mpi/headline.awk - compares the first page of a run with the waits that
# its program stamped
#
#	awk -f headline.awk TRUTH PAGE
#
# TRUTH has a line for each call that waited, with _ for blanks in the pattern,
# and -2 for a culprit that is not known:
#
#	RANK FUNCTION WAIT_NS CULPRIT PATTERN
#
# Prints a line "truth ..." with the sums, a line "page ..." with what the page
# says, and for each difference a line "wrong: ...".  The place that comes first
# on the page must be a function and pattern with the most waiting, or a tenth
# less; the rank that waits most, and least, alike.  A culprit must be named if
# the next one has less than 0.7 of its time, and the lead is clearly above that
# which scopes/views/path/lead.sql asks for; none, if the next one has more than
# 0.85 of it.  If nobody else has a tenth of its time, a cause that the page
# names must be in the same rank.  Else waits follow from each other, or from
# ranks that met outside of MPI, which the trace does not have.  A line
# "overloaded" tells that the page does not name a culprit because ranks lost
# their cores, and a line "nothing" that nothing waited.

function wrong(text) {
	print "wrong: " text
}

# Sets first, and second, to the keys of the largest sums; "" if there are none.
function lead(sums,    key) {
	first = second = ""
	for (key in sums)
		if (first == "" || sums[key] > sums[first])
			first = key
	for (key in sums)
		if (key != first && (second == "" || sums[key] > sums[second]))
			second = key
}

# Returns the rank of a word like r12 or rank 12.
function rank_of(word) {
	sub(/^.*r(ank )?/, "", word)
	sub(/[^0-9].*/, "", word)
	return word
}

NR == FNR {
	waiting[$1] += $3
	ranks[$1]
	if ($3 <= 0)
		next
	all += $3
	place[$2 " " $5] += $3
	if ($4 >= 0) {
		blame[$4] += $3
		pair[$4, $1] += $3
		count[$4, $1]++
		if (count[$4, $1] > events[$4])
			events[$4] = count[$4, $1]
	}
	next
}

/^Most of the waiting/ {
	found = $0
	sub(/^Most of the waiting[^:]*: /, "", found)
	site = found
	sub(/ \(.*/, "", site)
	pattern = found
	sub(/^[^(]*\(/, "", pattern)
	sub(/\).*/, "", pattern)
	share = found
	sub(/^[^)]*\), /, "", share)
	share += 0
	call = site
	sub(/ in .*/, "", call)
	gsub(/ /, "_", pattern)
	# The order of messages is no other pattern.
	sub(/,_Wrong_Order.*/, "", pattern)
}

/ waits most, / {
	most = rank_of($1)
	least = $0
	sub(/ least, .*/, "", least)
	least = rank_of(least)
}

/ is waited for most/ {
	named = rank_of($1)
	waiter = $0
	sub(/.* by r/, "r", waiter)
	waiter = rank_of(waiter)
}

/ (of all waiting|most of it) follows from / {
	cause = $0
	sub(/;.*/, "", cause)
	sub(/.*, in r/, "r", cause)
	cause = rank_of(cause)
}

# On an overloaded machine, the sentence of a culprit is another one.
/^The machine was overloaded: |^Lost cores may explain / {
	overloaded = 1
}

/^The rest of the waiting is for r/ {
	named = rank_of($8)
}

# Calls that make communicators are covered by no analysis.
/ calls that no analysis covers/ {
	functions = $0
	sub(/.*covers[^(]*\(/, "", functions)
	gsub(/MPI_(Comm|Cart|Graph|Dist_graph|Intercomm)_[a-z_]*/, "", functions)
	uncovered = functions ~ /MPI_/
}

END {
	if (all < 1000000) {
		print "nothing"
		exit
	}
	lead(place)
	top = first
	lead(blame)
	culprit = first
	# Nobody else is waited for.
	next_share = second == "" ? 0 : blame[second] / blame[first]
	variance = culprit == "" ? 1 : 1 / events[culprit]
	if (second != "")
		variance += next_share * next_share / events[second]
	clear = next_share < 0.7 &&
	    (1 - next_share) * (1 - next_share) > 16 * variance
	printf "truth %.1f ms, %s, r%s is waited for, the next one %.2f\n",
	    all / 1e6, top, culprit, next_share
	printf "page %s (%s), %s %%; r%s waits most, r%s least; ", site,
	    pattern, share, most, least
	printf "culprit r%s, waiter r%s, cause r%s\n", named, waiter, cause
	key = call " " pattern
	if (!(key in place) || place[key] < 0.9 * place[top])
		wrong("the place")
	if (uncovered)
		wrong("time is not covered")
	if (share < 70 * place[top] / all)
		wrong("the share of the place")
	for (r in ranks) {
		if (high == "" || waiting[r] > waiting[high])
			high = r
		if (low == "" || waiting[r] < waiting[low])
			low = r
	}
	if (most != "" && waiting[most] < 0.9 * waiting[high])
		wrong("the rank that waits most")
	if (most != "" && waiting[least] > waiting[low] + 0.1 * waiting[high])
		wrong("the rank that waits least")
	if (most == "" && !overloaded && waiting[low] < 0.9 * waiting[high])
		wrong("ranks do not wait alike")
	if (named != "" && next_share > 0.85)
		wrong("a culprit that is none")
	# The stamps do not tell which of the waiting follows from lost cores.
	if (named != "" && named != culprit) {
		if (overloaded)
			print "overloaded"
		else
			wrong("the culprit")
	}
	if (named == "" && clear)
		print overloaded ? "overloaded" : "wrong: no culprit"
	if (named == culprit && waiter != "") {
		for (r in ranks)
			if (pair[culprit, r] > best)
				best = pair[culprit, r]
		if (pair[culprit, waiter] < 0.9 * best)
			wrong("the waiter")
	}
	if (cause != "" && cause != culprit && next_share < 0.1)
		wrong("the cause")
}
