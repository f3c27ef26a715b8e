/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/whatif_main.c - eventspace whatif: predicts a run with changes
 */

#include "scopes/command/plugins.h"
#include "scopes/command/replay.h"
#include "scopes/show/table_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES 600

struct whatif {
	struct es_command command;
	struct es_command_replay replay;
	enum es_show_form form;
	char **changes; /* ends with NULL */
};

static const struct paths_command_option whatif_options[] = {
	ES_SHOW_FORM_OPTIONS(struct whatif, form),
	ES_COMMAND_CLOCK(struct whatif, replay.clock),
	ES_COMMAND_PLUGIN(struct whatif, command.plugins),
	PATHS_COMMAND_QUIET(struct whatif, command.quiet),
};

static const struct paths_command_operand whatif_operands[] = {
	{ "RUN", false, PATHS_COMMAND_TO_OPERAND(struct whatif, replay.name) },
};

static const struct paths_command whatif_command = {
	.verb = "whatif",
	.about = "predicted time of a run with changes",
	.usage = "[OPTIONS] RUN [CHANGE...]",
	.text =
	    "Predicts how long a run would take with changes, and how it "
	    "depends on its\nnetwork, by replaying its trace.  RUN is a run "
	    "directory.  A CHANGE is\n\n"
	    "  rank=1:x0.5           the computations of rank 1 take half of "
	    "their time\n"
	    "  after=PLACE,before=PLACE:even\n"
	    "                        the code between two calls is balanced "
	    "over the ranks\n"
	    "  rank=1:share          the rank gives work to the others\n"
	    "  phase=N,iteration=N-M:x0.9   the same by phase and iteration\n"
	    "  call=PLACE:x0.5       calls take half of their time, apart from "
	    "waiting\n"
	    "  nowait=PLACE          a collective, or a join, waits for nobody\n"
	    "  latency=+2us  bandwidth=x2   also latency-inside, "
	    "latency-between\n"
	    "  eager=64K  eager=all  sends of that size wait for no receive\n"
	    "  ideal                 messages and calls take no time of their "
	    "own\n"
	    "  even                  all computations are balanced\n"
	    "  map=FILE  stage=NAME:x0.5   in runs of paths: another map; a "
	    "stage\n\n"
	    "A PLACE is main@halo.c:17, halo.c:17, halo.c, main or "
	    "MPI_Barrier.",
	PATHS_COMMAND_OPTIONS(whatif_options),
	PATHS_COMMAND_OPERANDS(whatif_operands),
	.rest = PATHS_COMMAND_MORE_OPERANDS,
	.rest_at = offsetof(struct whatif, changes),
};

static const char *const column_names[] = { "quantity", "detail", "rank",
	"thread", "before", "after", "unit" };
#define ARRAY_COUNT(array) (sizeof(array) / sizeof(*(array)))
#define COLUMNS ARRAY_COUNT(column_names)

/* Text for people has units in its numbers, and threads in another table. */
static const char *const text_names[] = { "quantity", "detail", "before",
	"after" };
#define TEXT_COLUMNS ARRAY_COUNT(text_names)

/* The rows of an answer. */
struct answer {
	struct whatif *whatif;
	struct es__table *table;
	size_t changes; /* 0: text has no column `after` */
	paths_status st;
};

/* Returns a number for a program, or text for people. */
static struct es_value
answer_number(const struct answer *a, double value, const char *unit,
    char text[PATHS_UNIT_TEXT_BYTES])
{
	if (isnan(value))
		return ES_NIL;
	if (a->whatif->form != ES_SHOW_TEXT)
		return isinf(value) ? ES_NIL : ES_NUM(value);
	if (isinf(value))
		return ES_STR("any");
	if (strcmp(unit, "ns") == 0)
		return ES_STR(paths_unit_text(PATHS_UNIT_TIME, value, text));
	snprintf(text, PATHS_UNIT_TEXT_BYTES, "%.6g", value);
	return ES_STR(text);
}

/* A row; before, after: NAN: none. */
struct row {
	const char *quantity, *detail;	       /* detail: NULL: none */
	const struct es_whatif_thread *thread; /* NULL: none */
	double before, after;
	const char *unit;
};

static void
answer_row(struct answer *a, struct row row)
{
	const struct es_whatif_account *account =
	    es_whatif_account(a->whatif->replay.whatif);
	char texts[2][PATHS_UNIT_TEXT_BYTES];
	struct es_value detail =
	    row.detail == NULL ? ES_NIL : ES_STR(row.detail);
	struct es_value before =
	    answer_number(a, row.before, row.unit, texts[0]);
	struct es_value after = answer_number(a, row.after, row.unit, texts[1]);

	if (a->st != PATHS_OK)
		return;
	if (a->whatif->form == ES_SHOW_TEXT) {
		a->st = es__table_row(a->table,
		    (struct es_value[TEXT_COLUMNS]){ ES_STR(row.quantity),
			detail, before, after });
		return;
	}
	a->st = es__table_row(a->table,
	    (struct es_value[COLUMNS]){ ES_STR(row.quantity), detail,
		row.thread == NULL || account->paths ? ES_NIL :
						       ES_INT(row.thread->rank),
		row.thread == NULL || row.thread->name == NULL ?
		    ES_NIL :
		    ES_STR(row.thread->name),
		before, after, ES_STR(row.unit) });
}

/* Adds a time of the run. */
static void
answer_time(struct answer *a, const char *quantity, const char *detail,
    double before, double after)
{
	answer_row(a,
	    (struct row){ quantity, detail, NULL, before, after, "ns" });
}

/* Adds a time of a thread. */
static void
answer_thread(struct answer *a, const char *quantity,
    const struct es_whatif_thread *thread, double before, double after)
{
	answer_row(a,
	    (struct row){ quantity, NULL, thread, before, after, "ns" });
}

static void
answer_count(struct answer *a, const char *quantity, const char *detail,
    double count)
{
	answer_row(a, (struct row){ quantity, detail, NULL, NAN, count, "1" });
}

/* Adds the composition of the time of threads. */
static void
answer_threads(struct answer *a, const struct es_whatif_answer *answer)
{
	for (uint32_t t = 0; t < answer->thread_count; t++) {
		const struct es_whatif_thread *b = &answer->before[t];
		const struct es_whatif_thread *c = &answer->after[t];

		answer_thread(a, "end", b, b->end_ns, c->end_ns);
		answer_thread(a, "computing", b, b->computing_ns,
		    c->computing_ns);
		answer_thread(a, "waiting", b, b->waiting_ns, c->waiting_ns);
		answer_thread(a, "operations", b, b->operating_ns,
		    c->operating_ns);
	}
}

/* Adds the means of threads. */
static void
answer_means(struct answer *a, const struct es_whatif_answer *answer)
{
	struct es_whatif_thread sums[2] = { 0 };
	const struct es_whatif_thread *of[2] = { answer->before,
		answer->after };
	double count = answer->thread_count;

	for (size_t n = 0; n < 2; n++)
		for (uint32_t t = 0; t < answer->thread_count; t++) {
			sums[n].computing_ns += of[n][t].computing_ns / count;
			sums[n].waiting_ns += of[n][t].waiting_ns / count;
			sums[n].operating_ns += of[n][t].operating_ns / count;
		}
	answer_time(a, "computing", "mean", sums[0].computing_ns,
	    sums[1].computing_ns);
	answer_time(a, "waiting", "mean", sums[0].waiting_ns,
	    sums[1].waiting_ns);
	answer_time(a, "operations", "mean", sums[0].operating_ns,
	    sums[1].operating_ns);
}

static void
answer_senses(struct answer *a)
{
	struct es_whatif_sense senses[ES_WHATIF_SENSES];
	size_t count;
	char text[TEXT_BYTES];

	if (a->st == PATHS_OK)
		a->st =
		    es_whatif_senses(a->whatif->replay.whatif, senses, &count);
	for (size_t n = 0; a->st == PATHS_OK && n < count; n++) {
		const struct es_whatif_sense *s = &senses[n];

		snprintf(text, sizeof(text), "ns for each ns of %s, %s",
		    s->parameter, s->links);
		answer_count(a, "slope", text, s->slope);
		for (size_t k = 0; k < 3; k++) {
			snprintf(text, sizeof(text),
			    "%s that costs %.0f %%, %s", s->parameter,
			    100 * s->shares[k], s->links);
			answer_time(a, "tolerated", text, s->measured,
			    s->tolerated[k]);
		}
	}
}

/* Adds the count of operations with choices, and of those on the critical
   path. */
static void
answer_choices(struct answer *a, const char *about, uint64_t count,
    uint64_t on_path)
{
	char text[TEXT_BYTES];

	answer_count(a, "frozen", about, (double)count);
	snprintf(text, sizeof(text), "%s, on the critical path", about);
	answer_count(a, "frozen", text, (double)on_path);
}

static void
answer_frozen(struct answer *a)
{
	const struct es_whatif_account *account =
	    es_whatif_account(a->whatif->replay.whatif);

	answer_choices(a,
	    account->paths ? "operations on shared elements" :
			     "receives of any source",
	    account->choices.any, account->path_choices.any);
	answer_choices(a, "calls whose answer depends on what comes first",
	    account->choices.first, account->path_choices.first);
	for (size_t n = 0; n < account->frozen_count; n++)
		answer_choices(a, account->frozen[n].name,
		    account->frozen[n].all.either,
		    account->frozen[n].path.either);
}

/* Adds all rows. */
static void
answer_rows(struct answer *a, const struct es_whatif_answer *answer)
{
	const struct es_whatif_account *account =
	    es_whatif_account(a->whatif->replay.whatif);

	answer_time(a, "time", NULL, answer->before_ns, answer->after_ns);
	for (size_t n = 0; answer->change_count > 1 && n < answer->change_count;
	     n++)
		answer_time(a, "time", a->whatif->changes[n], answer->before_ns,
		    answer->alone_ns[n]);
	if (answer->change_count > 1)
		answer_time(a, "interaction",
		    "gain of all, less the gain of each", NAN,
		    answer->interaction_ns);
	answer_means(a, answer);
	if (a->whatif->form == ES_SHOW_TEXT)
		return;
	answer_threads(a, answer);
	answer_senses(a);
	answer_time(a, "drift", "replayed without a change",
	    account->measured_ns, account->replayed_ns);
	for (uint32_t t = 0; t < answer->thread_count; t++)
		if (answer->before[t].rank == account->drift_rank) {
			answer_row(a,
			    (struct row){ "drift",
				"of the worst rank, as a share",
				&answer->before[t], NAN, account->thread_drift,
				"1" });
			break;
		}
	answer_time(a, "lost", "length as measured, and without lost cores",
	    account->measured_ns, account->unchanged_ns);
	answer_time(a, "lost", "of all threads, and the part that is omitted",
	    account->left_out_ns + account->undated_ns, account->left_out_ns);
	answer_count(a, "unknown", NULL, (double)account->unknown);
	answer_count(a, "contradictions", NULL,
	    (double)account->contradictions);
	answer_frozen(a);
}

static paths_status
whatif_table(struct whatif *whatif, const struct es_whatif_answer *answer)
{
	const struct es_whatif_account *account =
	    es_whatif_account(whatif->replay.whatif);
	struct answer a = { .whatif = whatif, .changes = answer->change_count };
	bool text = whatif->form == ES_SHOW_TEXT;
	unsigned columns = COLUMNS;

	if (text)
		columns = TEXT_COLUMNS - (a.changes == 0);
	a.st = es__table_open(stdout, whatif->form, columns, &a.table);
	if (a.st != PATHS_OK)
		return a.st;
	for (unsigned n = 0; a.st == PATHS_OK && n < columns; n++) {
		const char *name = text ? text_names[n] : column_names[n];

		if (text && a.changes == 0 && n == columns - 1)
			name = account->leaves_out ? "without lost cores" :
						     "measured";
		a.st = es__table_name(a.table, n, name);
	}
	answer_rows(&a, answer);
	if (a.st == PATHS_OK)
		return es__table_close(a.table);
	es__table_cancel(a.table);
	return a.st;
}

/* ---- dependence on the network, for people */

/* Returns a time; "any" if there is no limit. */
static struct es_value
sense_time(double ns, char text[PATHS_UNIT_TEXT_BYTES])
{
	if (isnan(ns))
		return ES_NIL;
	return ES_STR(
	    isinf(ns) ? "any" : paths_unit_text(PATHS_UNIT_TIME, ns, text));
}

static paths_status
sense_row(struct es__table *table, const struct es_whatif_sense *s)
{
	char name[TEXT_BYTES], slope[TEXT_BYTES];
	char texts[5][PATHS_UNIT_TEXT_BYTES];
	bool bytes = strcmp(s->parameter, "latency") != 0;

	snprintf(name, sizeof(name), "%s, %s", s->parameter, s->links);
	snprintf(slope, sizeof(slope), "%s%s",
	    paths_unit_text(bytes ? PATHS_UNIT_BYTES : PATHS_UNIT_COUNT,
		s->slope, texts[0]),
	    bytes	      ? "" :
		s->slope == 1 ? " latency" :
				" latencies");
	return es__table_row(table,
	    (struct es_value[]){ ES_STR(name), ES_STR(slope),
		sense_time(s->measured, texts[1]),
		sense_time(s->tolerated[0], texts[2]),
		sense_time(s->tolerated[1], texts[3]),
		sense_time(s->tolerated[2], texts[4]) });
}

/* Prints slopes, and the limits of latency and of the time of a byte. */
static paths_status
whatif_senses(const struct whatif *whatif)
{
	static const char *const names[] = { "messages", "slope", "measured",
		"limit, 1 %", "limit, 2 %", "limit, 5 %" };
	struct es_whatif_sense senses[ES_WHATIF_SENSES];
	struct es__table *table;
	size_t count;
	paths_status st =
	    es_whatif_senses(whatif->replay.whatif, senses, &count);

	if (st != PATHS_OK || count == 0)
		return st;
	puts("\nSlopes are the latencies and bytes on the longest path; at a "
	     "limit, the run takes 1, 2\nor 5 % longer.\n");
	st = es__table_open(stdout, ES_SHOW_TEXT, ARRAY_COUNT(names), &table);
	if (st != PATHS_OK)
		return st;
	for (unsigned n = 0; st == PATHS_OK && n < ARRAY_COUNT(names); n++)
		st = es__table_name(table, n, names[n]);
	for (size_t n = 0; st == PATHS_OK && n < count; n++)
		st = sense_row(table, &senses[n]);
	if (st == PATHS_OK)
		return es__table_close(table);
	es__table_cancel(table);
	return st;
}

/* ---- threads, for people */

/* Prints a time before and after the changes, if there are any. */
static struct es_value
thread_time(bool changed, double before, double after, char text[TEXT_BYTES])
{
	char texts[2][PATHS_UNIT_TEXT_BYTES];

	snprintf(text, TEXT_BYTES, "%s%s%s",
	    paths_unit_text(PATHS_UNIT_TIME, before, texts[0]),
	    changed ? " -> " : "",
	    changed ? paths_unit_text(PATHS_UNIT_TIME, after, texts[1]) : "");
	return ES_STR(text);
}

static paths_status
thread_row(struct es__table *table, bool changed,
    const struct es_whatif_thread *b, const struct es_whatif_thread *a)
{
	char texts[4][TEXT_BYTES];

	return es__table_row(table,
	    (struct es_value[]){ b->name == NULL ? ES_INT(b->thread) :
						   ES_STR(b->name),
		thread_time(changed, b->end_ns, a->end_ns, texts[0]),
		thread_time(changed, b->computing_ns, a->computing_ns,
		    texts[1]),
		thread_time(changed, b->waiting_ns, a->waiting_ns, texts[2]),
		thread_time(changed, b->operating_ns, a->operating_ns,
		    texts[3]) });
}

/* Prints the threads for people. */
static paths_status
whatif_threads(const struct es_whatif_answer *answer)
{
	static const char *const names[] = { "thread", "end", "computing",
		"waiting", "operations" };
	struct es__table *table;
	paths_status st =
	    es__table_open(stdout, ES_SHOW_TEXT, ARRAY_COUNT(names), &table);

	if (st != PATHS_OK)
		return st;
	putchar('\n');
	for (unsigned n = 0; st == PATHS_OK && n < ARRAY_COUNT(names); n++)
		st = es__table_name(table, n, names[n]);
	for (uint32_t t = 0;
	     st == PATHS_OK && t < answer->thread_count && t < ES_SHOW_LIMIT;
	     t++)
		st = thread_row(table, answer->change_count > 0,
		    &answer->before[t], &answer->after[t]);
	if (st == PATHS_OK)
		st = es__table_close(table);
	else
		es__table_cancel(table);
	if (st == PATHS_OK && answer->thread_count > ES_SHOW_LIMIT)
		printf("%u of %u threads are shown; --csv and --json have "
		       "all.\n",
		    ES_SHOW_LIMIT, answer->thread_count);
	return st;
}

static bool
whatif_is_ideal(const struct whatif *whatif)
{
	for (char **c = whatif->changes; *c != NULL; c++)
		if (strcmp(*c, "ideal") == 0)
			return true;
	return false;
}

/* Prints the times before and after the changes. */
static void
whatif_gain(const struct es_whatif_answer *answer)
{
	char texts[3][PATHS_UNIT_TEXT_BYTES];
	double gain = 1 - answer->after_ns / answer->before_ns;

	printf(
	    "The run would take %s instead of %s: %.3f of its time, %s %s.\n",
	    paths_unit_text(PATHS_UNIT_TIME, answer->after_ns, texts[0]),
	    paths_unit_text(PATHS_UNIT_TIME, answer->before_ns, texts[1]),
	    answer->after_ns / answer->before_ns,
	    gain < 0 ? "longer by" : "a gain of",
	    paths_unit_text(PATHS_UNIT_SHARE, fabs(gain), texts[2]));
	if (answer->change_count > 1 && fabs(answer->interaction_ns) < 0.5)
		puts("Together the changes gain the sum of what each gains "
		     "alone.");
	else if (answer->change_count > 1)
		printf("Together the changes gain %s %s than the sum of what "
		       "each gains alone.\n",
		    paths_unit_text(PATHS_UNIT_TIME,
			fabs(answer->interaction_ns), texts[0]),
		    answer->interaction_ns < 0 ? "less" : "more");
}

/* Prints the answer in sentences. */
static void
whatif_sentence(const struct whatif *whatif,
    const struct es_whatif_answer *answer)
{
	bool paths = es_whatif_account(whatif->replay.whatif)->paths;

	if (answer->change_count > 0)
		whatif_gain(answer);
	if (whatif_is_ideal(whatif))
		printf("%s take no time of their own, so that only waiting is "
		       "left.\n",
		    paths ? "Operations" : "Messages and calls");
	else if (!paths)
		puts(
		    "Latency and bandwidth are those of messages; collectives keep "
		    "their measured time.");
	es_command_replay_frozen(&whatif->replay, stdout);
	putchar('\n');
}

static paths_status
whatif_answer(struct whatif *whatif)
{
	struct es_whatif_answer answer;
	paths_status st = es_whatif_predict(whatif->replay.whatif, &answer);

	if (st != PATHS_OK)
		return st;
	if (whatif->form == ES_SHOW_TEXT)
		whatif_sentence(whatif, &answer);
	st = whatif_table(whatif, &answer);
	if (whatif->form != ES_SHOW_TEXT)
		return st;
	if (st == PATHS_OK)
		st = whatif_senses(whatif);
	return st == PATHS_OK ? whatif_threads(&answer) : st;
}

/* Returns the exit status. */
static int
whatif_run(struct whatif *whatif)
{
	const struct es_whatif_account *account;
	FILE *out = whatif->form == ES_SHOW_TEXT ? stdout : stderr;
	paths_status st;

	if (es_command_replay_open(&whatif->command, &whatif->replay) !=
	    PATHS_OK)
		return es_command_fail(&whatif->command);
	for (char **c = whatif->changes; *c != NULL; c++) {
		st = es_whatif_change(whatif->replay.whatif, *c);
		if (st == PATHS_EINVAL)
			return paths_command_wrong("whatif", "%s",
			    paths_log_last());
		if (st != PATHS_OK)
			return es_command_fail(&whatif->command);
	}
	account = es_whatif_account(whatif->replay.whatif);
	if (whatif->form == ES_SHOW_TEXT || account->drift > ES_WHATIF_DRIFT)
		(void)es_command_replay_drift(&whatif->replay, out);
	if (account->drift > ES_WHATIF_DRIFT)
		return PATHS_COMMAND_FAILED;
	return whatif_answer(whatif) == PATHS_OK ?
	    PATHS_COMMAND_DONE :
	    es_command_fail(&whatif->command);
}

int
main(int argc, char **argv)
{
	struct whatif whatif = { .form = ES_SHOW_TEXT,
		.command.verb = "whatif" };
	int status = paths_command_read(&whatif_command, &whatif, argc, argv);

	if (status == PATHS_COMMAND_GO_ON)
		status = es_command_plugins(&whatif.command);
	if (status != PATHS_COMMAND_GO_ON)
		return status;
	status = whatif_run(&whatif);
	es_command_replay_close(&whatif.replay);
	return status;
}
