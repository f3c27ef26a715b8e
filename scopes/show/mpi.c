/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/mpi.c - the first page of an MPI run: what it waited for
 *
 * Sentences that queries make.  Waiting is that of the trace where the trace
 * has all calls, else estimated from profiles, as `wait_source` in the table
 * meta says; what lies behind the last arrival at a collective is no waiting.
 */

#include "scopes/show/show_private.h"

#include <stdio.h>
#include <string.h>

/* SQL for the last part of a path. */
#define FILE(path) \
	"replace(" path ", rtrim(" path ", replace(" path ", '/', '')), '')"

/* SQL for the name of a call site, whose id comes behind it: a function of the
   program, file and line, or what is known of it. */
#define SITE \
	"SELECT CASE WHEN file IS NOT NULL THEN ifnull(function || '@', '')" \
	" || " FILE( \
	    "file") " || ifnull(':' || line, '')" \
		    " WHEN module IS NOT NULL THEN ifnull(function || '@', '')" \
		    " || " FILE("module") " || printf('+0x%x', offset) END" \
					  " FROM mpi_site WHERE site = "

#define SOURCE "(SELECT value FROM meta WHERE key = 'wait_source')"

/* All waiting, by the best that is known. */
#define WAITING \
	"WITH waiting AS (SELECT rank, site, pattern, wait_ns, 1 AS reliable" \
	" FROM wait_state WHERE " SOURCE " <> 'profile'" \
	" AND pattern NOT LIKE '%Completion' UNION ALL" \
	" SELECT rank, site, pattern, wait_ns, reliable FROM wait_estimate" \
	" WHERE " SOURCE " = 'profile' AND method = 'plain')"

#define RANKS "(SELECT value FROM meta WHERE key = 'ranks')"

static const char mpi_sizes[] =
    "SELECT printf('%d %s on %d %s', " RANKS ","
    " iif(" RANKS " = 1, 'rank', 'ranks'), hosts,"
    " iif(hosts = 1, 'host', 'hosts')) ||"
    " ifnull(', ' || readable_count(calls) || ' calls of MPI in ' ||"
    " readable_ns(longest_ns), '')"
    " FROM (SELECT count(*) AS hosts FROM host),"
    " (SELECT sum(operations) AS calls,"
    " max(communication_ns + computation_ns) AS longest_ns"
    " FROM load_balance)";

static const char mpi_share[] =
    "SELECT iif(count(*) = 0, 'No call of MPI was timed.',"
    " printf('%s %s of %s time in MPI',"
    " iif(" RANKS " = 1, 'The rank spends', 'The ranks spend'),"
    " readable_share(ifnull(1.0 * sum(communication_ns) /"
    " sum(communication_ns + computation_ns), 0)),"
    " iif(" RANKS " = 1, 'its', 'their')) ||"
    " CASE WHEN " RANKS " = 1 THEN '.'"
    " WHEN sum(wait_ns) = 0 THEN ' and wait for nobody.'"
    " ELSE printf('; %s of that is waiting, %s.',"
    " readable_share(1.0 * sum(wait_ns) / sum(communication_ns)), CASE " SOURCE
    " WHEN 'trace' THEN 'measured in the trace'"
    " WHEN 'profile' THEN 'estimated from the profile'"
    " ELSE 'in the retained part of the trace' END) END)"
    " FROM load_balance";

/* Of what the estimate says, the part that it says badly. */
static const char mpi_unreliable[] =
    WAITING " SELECT printf('%s of the waiting is in calls that complete"
	    " many requests at once, for which the estimate is poor.',"
	    " readable_share(1.0 * sum(wait_ns) FILTER (WHERE NOT reliable) /"
	    " sum(wait_ns))) FROM waiting"
	    " HAVING sum(wait_ns) FILTER (WHERE NOT reliable) >="
	    " 0.01 * sum(wait_ns)";

/* The function is in the profile; a place in the program calls one only.
   Paths that end at one place are one. */
static const char mpi_sites[] = WAITING
    ", sites AS (SELECT ifnull((SELECT min(function) || ' in '"
    " FROM mpi_profile p WHERE p.site = w.site"
    " HAVING count(DISTINCT function) = 1), '') ||"
    " ifnull((" SITE "w.site), 'unknown places')"
    " AS place, pattern, sum(wait_ns) AS ns"
    " FROM waiting w GROUP BY w.site, pattern),"
    " places AS (SELECT printf('%s (%s), %s', place, pattern,"
    " readable_share(1.0 * sum(ns) / (SELECT sum(ns) FROM sites))) AS said"
    " FROM sites GROUP BY place, pattern HAVING sum(ns) > 0"
    " ORDER BY sum(ns) DESC LIMIT 3)"
    " SELECT 'Most of the waiting: ' || group_concat(said, '; ')"
    " || '.' FROM places HAVING count(*) > 0";

static const char mpi_ranks[] =
    WAITING ", spent AS (SELECT t.process AS rank,"
	    " sum(communication_ns + computation_ns) AS ns"
	    " FROM load_balance JOIN thread t USING (thread) GROUP BY 1),"
	    " shares AS (SELECT p.name AS who, ifnull(1.0 *"
	    " (SELECT sum(wait_ns) FROM waiting w WHERE w.rank = spent.rank) /"
	    " ns, 0.0) AS share FROM spent JOIN process p"
	    " ON p.process = spent.rank)"
	    " SELECT printf('%s waits most, %s of its time, %s least,"
	    " %s.', (SELECT who FROM shares ORDER BY share DESC LIMIT 1),"
	    " readable_share(max(share)),"
	    " (SELECT who FROM shares ORDER BY share LIMIT 1),"
	    " readable_share(min(share))) FROM shares"
	    " HAVING count(*) > 1 AND max(share) > 0";

static const char mpi_culprit[] =
    "WITH blame AS (SELECT p.name AS culprit, q.name AS waiter, wait_ns"
    " FROM waits_for JOIN thread t ON t.thread = culprit"
    " JOIN process p ON p.process = t.process"
    " JOIN thread u ON u.thread = waiter"
    " JOIN process q ON q.process = u.process),"
    " worst AS (SELECT culprit, sum(wait_ns) AS ns FROM blame"
    " GROUP BY culprit ORDER BY ns DESC LIMIT 1)"
    " SELECT printf('%s is waited for most%s: %s, %s of all waiting; %s"
    " of it by %s.', culprit, iif(" SOURCE " = 'trace', '',"
    " ' in the retained part of the trace'), readable_ns(ns),"
    " readable_share(1.0 * ns / (SELECT sum(wait_ns) FROM waits_for)),"
    " readable_ns((SELECT sum(wait_ns) AS s FROM blame b"
    "  WHERE b.culprit = worst.culprit GROUP BY waiter"
    "  ORDER BY s DESC LIMIT 1)),"
    " (SELECT waiter FROM blame b WHERE b.culprit = worst.culprit"
    "  GROUP BY waiter ORDER BY sum(wait_ns) DESC LIMIT 1))"
    " FROM worst WHERE ns > 0"
    " UNION ALL SELECT 'Only a trace shows for whom they wait: use --mode"
    " trace,profile,matrix.' WHERE " SOURCE " = 'profile'"
    " AND NOT EXISTS (SELECT * FROM waits_for)"
    " AND (SELECT total(wait_ns) FROM load_balance) > 0 LIMIT 1";

/* A sentence, and the tables that it is made of. */
static const struct {
	const char *sql;
	const char *tables[4];
} sentences[] = {
	{ mpi_share, { "load_balance" } },
	{ mpi_unreliable, { "wait_state", "wait_estimate" } },
	{ mpi_sites,
	    { "wait_state", "wait_estimate", "mpi_site", "mpi_profile" } },
	{ mpi_ranks, { "wait_state", "wait_estimate", "load_balance" } },
	{ mpi_culprit, { "waits_for", "load_balance" } },
};

static paths_status
mpi_say(const struct es_show *show, const char *sql,
    const char *const tables[4])
{
	paths_status st = PATHS_OK;
	bool has = true;
	char text[1024];

	for (int n = 0; n < 4 && tables[n] != NULL && has && st == PATHS_OK;
	     n++)
		st = es_show_has(show, tables[n], &has);
	if (st != PATHS_OK || !has)
		return st;
	st = es__show_one(show, sql, text, sizeof(text));
	if (st == PATHS_OK && text[0] != '\0')
		es__show_say(show, text);
	return st;
}

paths_status
es__show_mpi_sizes(const struct es_show *show)
{
	return mpi_say(show, mpi_sizes,
	    (const char *const[4]){ "host", "load_balance" });
}

paths_status
es__show_mpi(const struct es_show *show)
{
	paths_status st = PATHS_OK;

	for (size_t n = 0;
	     n < sizeof(sentences) / sizeof(sentences[0]) && st == PATHS_OK;
	     n++)
		st = mpi_say(show, sentences[n].sql, sentences[n].tables);
	return st;
}

paths_status
es__show_is_mpi(const struct es_show *show, bool *is)
{
	char ranks[24];
	paths_status st =
	    es__show_one(show, "SELECT " RANKS, ranks, sizeof(ranks));

	if (st == PATHS_OK)
		*is = ranks[0] != '\0';
	return st;
}
