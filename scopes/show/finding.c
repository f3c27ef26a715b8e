/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/finding.c - what stands out in a run
 */

#include "scopes/finding.h"

#include "scopes/rows.h"

#include <stdbool.h>
#include <string.h>

struct question {
	const char *table;  /* that tells it; NULL: the query says which */
	const char *tables; /* all that it needs, separated by blanks */
	const char *chart, *measure;
	/* At most one row: kind, id, text, and where it depends the table,
	   which the chart is named after. */
	const char *sql;
};

/* Less waiting than this is noise. */
#define WAITING_COUNTS \
	" (SELECT sum(wait_ns) FROM waits_for)" \
	" >= 0.01 * (SELECT sum(communication_ns) FROM load_balance)"

/*
 * Threads that exchange with their neighbours only drift apart, as nothing
 * makes them wait for the others: one is at its next step while others have yet
 * to begin this one, and each step runs through the threads.  Two things tell
 * that: in most steps the last thread begins when the first one is at the next
 * step already, which no barrier would let it; and what is waited for is the
 * thread beside, of T threads by chance 2/T of the time.  The beginning and the
 * end of a run are not as the rest of it.  Of the steps that take longer than
 * the mean that one is told which runs through most evenly: of a straight slope
 * neighbours are spread / (T - 1) apart, and any two (T + 1) / 3 times that.
 * Where the program never says which step it is in, a thread with two
 * operations for one of the others leaves them behind: that is no wave.  Where
 * a row is of many steps, they are taken to last equally long.
 */
static const char wave_sql[] =
    "WITH spread AS (SELECT *, percent_rank() OVER w AS at,"
    " (lead(start_ns) OVER w - start_ns) / steps AS period_ns"
    " FROM step_spread WHERE threads > 2"
    " AND threads = (SELECT count(*) FROM load_balance)"
    " WINDOW w AS (ORDER BY step)),"
    " middle AS (SELECT * FROM spread WHERE at BETWEEN 0.1 AND 0.9),"
    " near AS (SELECT total(wait_ns) FILTER (WHERE abs(waiter - culprit) = 1)"
    " / sum(wait_ns) AS share FROM waits_for),"
    " uneven AS (SELECT *, abs(neighbour_ns * (threads - 1) / spread_ns - 1) +"
    " abs(pair_ns * 3 * (threads - 1) / (threads + 1) / spread_ns - 1) AS off"
    " FROM middle WHERE spread_ns > period_ns AND"
    " spread_ns >= (SELECT avg(spread_ns) FROM middle)"
    " AND (SELECT avg(spread_ns > period_ns) FROM middle) > 0.5),"
    " begun AS (SELECT *, lead(start_ns) OVER (PARTITION BY thread"
    " ORDER BY step) AS next_ns FROM step),"
    " wave AS (SELECT *, start_ns + spread_ns AS there_ns FROM uneven"
    " WHERE off < 0.5"
    " AND EXISTS (SELECT 1 FROM meta"
    " WHERE key = 'step_source' AND value = 'program')"
    " ORDER BY off, step LIMIT 1),"
    " ahead AS (SELECT w.*, (SELECT b.step + ifnull(b.steps *"
    " (there_ns - b.start_ns) / (b.next_ns - b.start_ns), 0) FROM begun b"
    " WHERE b.thread = w.first AND b.start_ns <= there_ns"
    " ORDER BY b.step DESC LIMIT 1) AS already FROM wave w)"
    " SELECT 'step', step, printf('Each step runs through the threads as a"
    " wave: step %d begins in %s and reaches %s last, %s later, when %s is"
    " already at step %d; %s of all waiting is for a neighbour.', step,"
    " f.name, l.name, readable_ns(spread_ns), f.name,"
    " already, readable_share(share)) FROM ahead JOIN near"
    " JOIN thread f ON f.thread = first JOIN thread l ON l.thread = last"
    " WHERE already > step AND share >= (1 + 2.0 / threads) / 2";

static const char waits_for_sql[] =
    "SELECT 'thread', w.culprit, printf('%s is waited for most: %s, which is"
    " %s of all waiting.', ifnull(t.name, 'A thread that is not known'),"
    " readable_ns(sum(wait_ns)),"
    " readable_share(1.0 * sum(wait_ns) /"
    " (SELECT sum(wait_ns) FROM waits_for)))"
    " FROM waits_for w LEFT JOIN thread t ON t.thread = w.culprit"
    " GROUP BY w.culprit HAVING sum(wait_ns) > 0 AND" WAITING_COUNTS
    " ORDER BY sum(wait_ns) DESC, w.culprit LIMIT 1";

/* What the thread that is waited for does more of than the others, enough to
   make them wait; where it is not known which one that is, nothing. */
static const char reason_sql[] =
    "WITH late AS (SELECT culprit AS thread, sum(wait_ns) AS kept_ns"
    " FROM waits_for GROUP BY culprit HAVING" WAITING_COUNTS
    " ORDER BY sum(wait_ns) DESC, culprit LIMIT 1), reason AS ("
    " SELECT 'stage' AS kind, stage AS id, 'breakdown' AS told_by, own_ns -"
    " ifnull((SELECT avg(own_ns) FROM breakdown o WHERE o.stage = b.stage"
    " AND o.thread <> b.thread), 0) AS more_ns, kept_ns,"
    " printf('%s spends %s, %s an operation, in stage %s.', t.name,"
    " readable_ns(own_ns), readable_ns(1.0 * own_ns / operations), s.name)"
    " AS text FROM breakdown b JOIN late USING (thread)"
    " JOIN stage s USING (stage) JOIN thread t USING (thread)"
    " WHERE operations > 0 UNION ALL"
    " SELECT 'thread', thread, 'load_balance', computation_ns -"
    " (SELECT avg(computation_ns) FROM load_balance o"
    " WHERE o.thread <> l.thread), kept_ns,"
    " printf('%s computes %s, the others %s on average.', t.name,"
    " readable_ns(computation_ns), readable_ns((SELECT avg(computation_ns)"
    " FROM load_balance o WHERE o.thread <> l.thread)))"
    " FROM load_balance l JOIN late USING (thread) JOIN thread t USING (thread)"
    ") SELECT kind, id, text, told_by FROM reason WHERE more_ns > 0"
    " AND more_ns >= 0.1 * kept_ns ORDER BY more_ns DESC LIMIT 1";

static const char load_balance_sql[] =
    "SELECT 'thread', (SELECT thread FROM load_balance"
    " ORDER BY communication_share DESC LIMIT 1),"
    " iif(max(communication_share) - min(communication_share) < 0.001,"
    " printf('All threads communicate %s of their time',"
    " readable_share(max(communication_share))),"
    " printf('%s communicates most, %s of its time, %s least, %s',"
    " (SELECT t.name FROM load_balance l JOIN thread t USING (thread)"
    "  ORDER BY l.communication_share DESC LIMIT 1),"
    " readable_share(max(communication_share)),"
    " (SELECT t.name FROM load_balance l JOIN thread t USING (thread)"
    "  ORDER BY l.communication_share LIMIT 1),"
    " readable_share(min(communication_share)))) ||"
    " iif(sum(wait_ns) > 0, printf('; %s of all communication is waiting"
    " for other threads.', readable_share(1.0 * sum(wait_ns) /"
    " sum(communication_ns))), '.')"
    " FROM load_balance HAVING count(*) > 1";

static const char wait_state_sql[] =
    "SELECT 'site', site, printf('Most waiting in MPI is %s: %s, in %s.',"
    " pattern, readable_ns(sum(wait_ns)), ifnull(m.function || ' at ' ||"
    " replace(m.file, rtrim(m.file, replace(m.file, '/', '')), '') || ':' ||"
    " m.line, 'calls whose place is not known'))"
    " FROM wait_state w LEFT JOIN mpi_site m USING (site)"
    " GROUP BY pattern, site HAVING sum(wait_ns) > 0"
    " ORDER BY sum(wait_ns) DESC LIMIT 1";

static const struct question questions[] = {
	{ "step_spread", "step_spread step meta waits_for load_balance thread",
	    "step_heat", "arrival", wave_sql },
	{ "waits_for", "waits_for load_balance thread", "waits_for", NULL,
	    waits_for_sql },
	{ NULL, "breakdown waits_for load_balance thread stage", NULL, NULL,
	    reason_sql },
	{ "load_balance", "load_balance thread", "load_balance", NULL,
	    load_balance_sql },
	{ "wait_state", "wait_state mpi_site", "wait_state", NULL,
	    wait_state_sql },
};

static const char *
finding_text(const struct es_rows *rows, unsigned column)
{
	struct es_value value;

	es_rows_get(rows, column, &value);
	return value.kind == ES_TEXT ? value.as.text : "";
}

/* Whether all tables are there. */
static paths_status
question_applies(struct es_store *store, const struct question *q,
    bool *applies)
{
	static const char sql[] =
	    "SELECT 1 FROM sqlite_schema s WHERE type IN ('table', 'view')"
	    " AND instr(' ' || :tables || ' ', ' ' || name || ' ') > 0";
	struct es_rows *rows;
	size_t wanted = 1;
	paths_status st = es_rows_open(store, sql, &rows, NULL);

	if (st != PATHS_OK)
		return st;
	for (const char *c = q->tables; *c != '\0'; c++)
		wanted += *c == ' ';
	st = es_rows_bind(rows, "tables", &ES_STR(q->tables));
	while (st == PATHS_OK && (st = es_rows_next(rows)) == PATHS_OK)
		wanted--;
	es_rows_close(rows);
	*applies = wanted == 0;
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

static paths_status
question_ask(struct es_store *store, const struct question *q,
    const char *table, es_finding_take *take, void *to)
{
	struct es_finding finding = { .table = q->table,
		.chart = q->chart,
		.measure = q->measure };
	struct es_rows *rows;
	struct es_value id;
	paths_status st = es_rows_open(store, q->sql, &rows, NULL);

	if (st != PATHS_OK)
		return st;
	st = es_rows_next(rows);
	if (st == PATHS_OK) {
		finding.kind = finding_text(rows, 0);
		es_rows_get(rows, 1, &id);
		finding.text = finding_text(rows, 2);
		if (q->table == NULL)
			finding.table = finding.chart = finding_text(rows, 3);
		if (id.kind == ES_INTEGER)
			finding.id = id.as.integer;
		else
			finding.kind = "";
		if (finding.text[0] != '\0' &&
		    (table == NULL || strcmp(table, finding.table) == 0))
			st = take(to, &finding);
	}
	es_rows_close(rows);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

paths_status
es_finding_each(struct es_store *store, const char *table,
    es_finding_take *take, void *to)
{
	paths_status st = PATHS_OK;

	for (size_t n = 0; n < sizeof(questions) / sizeof(*questions); n++) {
		const struct question *q = &questions[n];
		bool applies = false;

		if (table != NULL && q->table != NULL &&
		    strcmp(table, q->table) != 0)
			continue;
		if (st == PATHS_OK)
			st = question_applies(store, q, &applies);
		if (st == PATHS_OK && applies)
			st = question_ask(store, q, table, take, to);
	}
	return st;
}
