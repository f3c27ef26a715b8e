# SPDX-License-Identifier: MIT
#
# tests/mpi/mix.awk - prints the expected counts of mix on -v n=RANKS ranks
#
# Prints the lines of `counted`, in any order.  With -v views=1 it prints the
# counts of the views: collectives are pairs of ranks, and size classes are only
# in lines "histogram SOURCE TARGET CATEGORY CLASS MESSAGES".

function class(bytes,   c) {
	for (c = 0; bytes >= 1; c++)
		bytes /= 2
	return c
}

# Adds calls of a function, each with `bytes` bytes.
function profile(rank, name, calls, bytes) {
	key = "profile " rank " MPI_" name " " class(bytes)
	messages[key] += calls
	total[key] += calls * bytes
}

function message(from, to, category, calls, bytes) {
	key = "matrix " from " " to " " category
	messages[key] += calls
	total[key] += calls * bytes
	classes[key, class(bytes)] += calls
}

function collective(rank, name, root, calls, bytes,   to) {
	if (views) {
		for (to = 0; to < n; to++)
			if (to != rank && (root < 0 || root == rank))
				message(rank, to, "collective", calls, bytes)
		return
	}
	key = "collective " rank " 1 MPI_" name " " root
	messages[key] += calls
	total[key] += calls * bytes
	classes[key, class(bytes)] += calls
}

# Adds point-to-point messages at their source and at their target.
function sent(from, to, category, calls, bytes) {
	message(from, to, category, calls, bytes)
	message(from, to, "received", calls, bytes)
}

function rank(r, right, left) {
	sent(r, right, "p2p", 10, 8)
	sent(r, right, "p2p", 5, 1000)
	sent(r, left, "p2p", 7, 32)
	sent(r, right, "persistent", 6, 24)
	message(r, right, "put", 3, 40)
	collective(r, "Bcast", n - 1, 4, 16)
	collective(r, "Allreduce", -1, 9, 8)
	collective(r, "Alltoall", -1, 2, 12)

	profile(r, "Init", 1, 0)
	profile(r, "Comm_rank", 1, 0)
	profile(r, "Comm_size", 1, 0)
	profile(r, "Irecv", 15, 0)
	profile(r, "Send", 10, 8)
	profile(r, "Wait", 10, 8)
	profile(r, "Isend", 5, 1000)
	profile(r, "Waitall", 5, 1000)
	profile(r, "Comm_split", 1, 0)
	profile(r, "Sendrecv", 7, 32)
	profile(r, "Send_init", 1, 0)
	profile(r, "Recv_init", 1, 0)
	profile(r, "Startall", 6, 24)
	profile(r, "Waitall", 6, 24)
	profile(r, "Request_free", 2, 0)
	profile(r, "Bcast", 4, 16)
	profile(r, "Allreduce", 9, 8)
	profile(r, "Alltoall", 2, 12)
	profile(r, "Win_create", 1, 0)
	profile(r, "Win_fence", 4, 0)
	profile(r, "Put", 3, 40)
	profile(r, "Win_free", 1, 0)
	profile(r, "Finalize", 1, 0)
}

BEGIN {
	for (r = 0; r < n; r++)
		rank(r, (r + 1) % n, (r + n - 1) % n)
	for (key in messages) {
		line = key " " messages[key] " " total[key]
		mark = " "
		for (c = 0; c < 65; c++) {
			if (!((key, c) in classes))
				continue
			line = line (views ? "" : mark c ":" classes[key, c])
			mark = ","
			if (views)
				print "histogram" substr(key, 7), c, \
				    classes[key, c]
		}
		print line
	}
}
