/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/hint.c - how people like to see a table
 *
 * Which rows come first, and what the table says, in one sentence: where none
 * is here what is found in it (scopes/finding.h).  A table that is not here is
 * shown as it is.
 */

#include "scopes/show/show_private.h"

#include <string.h>

/* The input of a join that is last most often, at the costliest join. */
#define LAST_INPUT(table, last_in, others) \
	"WITH named AS (SELECT a.*, ifnull(t.name, above.name) AS who," \
	" s.name AS at, sum(a.wait_ns_sum) OVER w AS all_ns," \
	" count(*) OVER w AS inputs FROM " table " a" \
	" JOIN stage s ON s.stage = a.stage" \
	" JOIN join_input j ON j.stage = a.stage AND j.input = a.input" \
	" LEFT JOIN path p ON p.path = j.path" \
	" LEFT JOIN thread t ON t.thread = p.thread" \
	" LEFT JOIN stage above ON above.stage = j.above" \
	" WINDOW w AS (PARTITION BY a.stage)) " \
	"SELECT printf('%s " last_in " %s of %s operations of %s;" \
	" " others "', who, readable_share(1.0 * last /" \
	" operations), readable_count(operations), at," \
	" readable_ns(1.0 * all_ns / operations / (inputs - 1)))" \
	" FROM named WHERE operations > 0 AND inputs > 1" \
	" ORDER BY all_ns DESC, last DESC LIMIT 1"

static const struct es__show_hint hints[] = {
	{ "load_balance", "communication_share DESC", NULL },
	{ "arrival", "stage, last DESC",
	    LAST_INPUT("arrival", "arrives last in",
		"each of the others waits %s on average.") },
	{ "arrival_pair", "wait_ns_sum DESC", NULL },
	{ "departure", "stage, last DESC",
	    LAST_INPUT("departure", "leaves last in",
		"each of the others leaves %s earlier on average.") },
	{ "departure_pair", "wait_ns_sum DESC", NULL },
	{ "wrapper_latency", "latency_ns_mean * operations DESC",
	    "SELECT printf('%s costs most: %s per operation on average,"
	    " median %s, 95th percentile %s.', s.name,"
	    " readable_ns(latency_ns_mean), readable_ns(latency_ns_median),"
	    " readable_ns(latency_ns_p95))"
	    " FROM wrapper_latency w JOIN stage s ON s.stage = w.stage"
	    " ORDER BY latency_ns_mean * operations DESC LIMIT 1" },
	{ "breakdown", "thread, own_ns + wait_ns DESC",
	    "SELECT printf('%s takes %s of the time of all operations;"
	    " %s of that is waiting for other threads.', s.name,"
	    " readable_share(1.0 * sum(own_ns + wait_ns) /"
	    " (SELECT sum(own_ns + wait_ns) FROM breakdown)),"
	    " readable_share(1.0 * sum(wait_ns) / sum(own_ns + wait_ns)))"
	    " FROM breakdown b JOIN stage s ON s.stage = b.stage"
	    " GROUP BY b.stage ORDER BY sum(own_ns + wait_ns) DESC LIMIT 1" },
	{ "wait_estimate", "wait_ns DESC, rank, site, method",
	    "SELECT printf('The plain method estimates %s of waiting in all,"
	    " most of it %s%s.', readable_ns(total(wait_ns)),"
	    " (SELECT pattern FROM wait_estimate WHERE method = 'plain'"
	    "  GROUP BY pattern ORDER BY sum(wait_ns) DESC LIMIT 1),"
	    " iif(min(reliable) = 0, printf('; %s of the estimate is poor',"
	    "  readable_share(total(wait_ns) FILTER (WHERE NOT reliable) /"
	    "  total(wait_ns))), ''))"
	    " FROM wait_estimate WHERE method = 'plain'"
	    " HAVING total(wait_ns) > 0" },
	{ "wait_compare", "abs(difference_pp) DESC, site, pattern, method",
	    "SELECT 'Largest error of the estimate at call sites that wait at"
	    " least 0.5 % of all time, in percentage points: '"
	    " || group_concat(said, ', ') || '.'"
	    " FROM (SELECT printf('%s %.2f', method,"
	    " max(abs(difference_pp))) AS said FROM wait_compare"
	    " WHERE estimate_share >= 0.005 OR truth_share >= 0.005"
	    " GROUP BY method ORDER BY max(abs(difference_pp)))"
	    " HAVING count(*) > 0" },
	{ "waits_for", "wait_ns DESC", NULL },
	{ "wait_state", "wait_ns DESC",
	    "SELECT printf('%s is the largest wait state: %s, %s of the"
	    " time in all wait states.',"
	    " pattern, readable_ns(sum(wait_ns)),"
	    " readable_share(1.0 * sum(wait_ns) /"
	    " (SELECT sum(wait_ns) FROM wait_state)))"
	    " FROM wait_state GROUP BY pattern ORDER BY sum(wait_ns) DESC"
	    " LIMIT 1" },
	{ "wait_pair", "wait_ns DESC",
	    "SELECT printf('Rank %d is waited for most: %s, %s of all"
	    " waiting.', culprit, readable_ns(sum(wait_ns)),"
	    " readable_share(1.0 * sum(wait_ns) /"
	    " (SELECT sum(wait_ns) FROM wait_pair"
	    "  WHERE culprit IS NOT NULL)))"
	    " FROM wait_pair WHERE culprit IS NOT NULL GROUP BY culprit"
	    " ORDER BY sum(wait_ns) DESC LIMIT 1" },
	{ "mpi_profile", "time_ns DESC",
	    "SELECT printf('%s in %s takes most: %s, %s of all time in"
	    " MPI.', function, p.name, readable_ns(sum(time_ns)),"
	    " readable_share(1.0 * sum(time_ns) /"
	    " (SELECT sum(time_ns) FROM mpi_profile)))"
	    " FROM mpi_profile m JOIN process p ON p.process = m.rank"
	    " GROUP BY rank, function ORDER BY sum(time_ns) DESC LIMIT 1" },
	{ "mpi_function", "time_ns DESC",
	    "SELECT printf('%s takes most: %s, %s of all time in MPI.',"
	    " function, readable_ns(time_ns),"
	    " readable_share(1.0 * time_ns /"
	    " (SELECT sum(time_ns) FROM mpi_function)))"
	    " FROM mpi_function ORDER BY time_ns DESC LIMIT 1" },
	{ "mpi_rank", "rank",
	    "SELECT printf('%s made most calls, %s of %s.', p.name,"
	    " readable_count(calls),"
	    " readable_count((SELECT sum(calls) FROM mpi_rank)))"
	    " FROM mpi_rank JOIN process p USING (process)"
	    " ORDER BY calls DESC LIMIT 1" },
	{ "mpi_site", "site",
	    "SELECT printf('MPI is called from %d call sites; file and line of"
	    " %d are known.', count(*), count(line))"
	    " FROM mpi_site WHERE site > 0 HAVING count(*) > 0" },
	{ "mpi_collective", "bytes DESC",
	    "SELECT printf('%s moves most bytes, %s of %s, in %s calls.',"
	    " function, readable_bytes(sum(bytes)),"
	    " readable_bytes((SELECT sum(bytes) FROM mpi_collective)),"
	    " readable_count(sum(calls))) FROM mpi_collective GROUP BY function"
	    " HAVING sum(bytes) > 0 ORDER BY sum(bytes) DESC LIMIT 1" },
	{ "comm_matrix", "bytes DESC",
	    "SELECT printf('%s sends most to %s: %s in %s messages,"
	    " %s of all bytes.', a.name, b.name,"
	    " readable_bytes(sum(bytes)), readable_count(sum(messages)),"
	    " readable_share(1.0 * sum(bytes) / (SELECT sum(bytes)"
	    "  FROM comm_matrix WHERE category <> 'received')))"
	    " FROM comm_matrix JOIN process a ON a.process = source"
	    " JOIN process b ON b.process = target"
	    " WHERE category <> 'received' GROUP BY source, target"
	    " HAVING sum(bytes) > 0 ORDER BY sum(bytes) DESC LIMIT 1" },
	{ "clock", NULL,
	    "SELECT printf('The clock of %s differs most from that of %s: by"
	    " %s, %s.', h.name, r.name,"
	    " readable_ns(abs(offset_ns)),"
	    " ifnull('with an error of at most ' || readable_ns(bound_ns),"
	    "  'with an unknown error'))"
	    " FROM clock c JOIN host h ON h.host = c.host"
	    " JOIN host r ON r.host = c.reference WHERE c.host <> c.reference"
	    " ORDER BY abs(offset_ns) DESC LIMIT 1" },
	{ "clock_check", NULL,
	    "SELECT 'Operations that do not contradict the clocks: ' ||"
	    " group_concat(said, ', ') || '.' FROM (SELECT method || ' '"
	    " || readable_share(1.0 * sum(correct) / sum(operations)) AS said"
	    " FROM clock_check GROUP BY method)" },
	{ "diagnostic",
	    "CASE severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2"
	    " END",
	    NULL },
};

const struct es__show_hint *
es__show_hint(const char *table)
{
	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
		if (strcmp(hints[i].table, table) == 0)
			return &hints[i];
	return NULL;
}
