/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/fake_op.h - adds an operation to a fake_run in one line
 */

#ifndef TESTS_SCOPES_FAKE_OP_H
#define TESTS_SCOPES_FAKE_OP_H

#include "tests/scopes/fake_run.h"

#include "libpaths/op.h"

/* The begin of every map: process p on host a, process q on host b. */
#define FAKE_MAP \
	"pathmap 1\n" \
	"plugin libcollectors.so.0\n" \
	"host a\n" \
	"host b\n" \
	"process p -host a -listen tcp:0\n" \
	"process q -host b -listen tcp:0\n"

/* The begin of a map in which threads t and u of p use element e.  The path of
   thread v of q follows. */
#define FAKE_MAP_THREADS \
	FAKE_MAP "thread t -process p\n" \
		 "thread u -process p\n" \
		 "thread v -process q\n" \
		 "element e -process p -type f64 -keep 16\n" \
		 "path t e {{collector} {element e}}\n" \
		 "path u e {{collector} {element e}}\n"

/* Adds an operation that succeeded; times in ns. */
static inline void
fake_op(struct fake_run *run, uint32_t collector, enum paths_kind kind,
    uint32_t seq, const uint64_t times[2])
{
	struct es_tuple_path tuple = { .start = times[0],
		.stop = times[1],
		.seq = seq,
		.op = (uint16_t)kind,
		.bytes = 8 };

	fake_run_add(run, collector, &tuple);
}

#define FAKE_OP(run, collector, kind, seq, start, stop) \
	fake_op(run, collector, PATHS_##kind, seq, \
	    (const uint64_t[2]){ start, stop })

#endif
