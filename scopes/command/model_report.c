/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/model_report.c - prints the messages of a run under a model
 */

#include "scopes/command/model_report.h"

#include "scopes/show/table_private.h"

#include "libpaths/map.h"
#include "libpaths/unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define ARRAY_COUNT(array) (sizeof(array) / sizeof(*(array)))
#define PARTS ES_MODEL_PARTS

/* Returns the name of a phase for people. */
static struct es_value
report_phase(const struct es_model_run *run, uint32_t phase, uint32_t named,
    char text[ES_MODEL_PHASE_BYTES])
{
	es_model_phase_text(run, phase, named, text);
	return text[0] == '\0' ? ES_NIL : ES_STR(text);
}

/* Returns an id for programs. */
static struct es_value
report_id(uint32_t id)
{
	return id == PATHS_NONE ? ES_NIL : ES_INT(id);
}

static struct es_value
report_ns(double seconds)
{
	return ES_NUM(es_model_ns(seconds));
}

/* Returns a time for a program in ns, or text for people. */
static struct es_value
report_time(enum es_show_form form, double seconds,
    char text[PATHS_UNIT_TEXT_BYTES])
{
	if (!isfinite(seconds))
		return ES_NIL;
	if (form != ES_SHOW_TEXT)
		return report_ns(seconds);
	return ES_STR(
	    paths_unit_text(PATHS_UNIT_TIME, es_model_ns(seconds), text));
}

/* Begins a table with these columns. */
static paths_status
report_open(enum es_show_form form, const char *const *names, unsigned columns,
    struct es__table **table)
{
	paths_status st = es__table_open(stdout, form, columns, table);

	for (unsigned n = 0; st == PATHS_OK && n < columns; n++) {
		st = es__table_name(*table, n, names[n]);
		if (st != PATHS_OK)
			es__table_cancel(*table);
	}
	return st;
}

static paths_status
report_close(struct es__table *table, paths_status st)
{
	if (st == PATHS_OK)
		return es__table_close(table);
	es__table_cancel(table);
	return st;
}

static const char *const row_names[] = { "phase", "rank", "model", "bursts",
	"sent", "received", "sent_bytes", "received_bytes", "largest_burst",
	"inversions", "measured_ns", "late_ns", "late_receiver_ns",
	"latency_ns", "bandwidth_ns", "queue_ns", "contention_ns",
	"unexplained_ns", "dominant", "named" };
#define ROW_COLUMNS ARRAY_COUNT(row_names)

static paths_status
report_row(struct es__table *table, const struct es_model_run_row *row,
    enum es_model_kind kind)
{
	double parts[PARTS];
	enum es_model_part dominant = es_model_run_parts(row, kind, parts);

	if (isnan(parts[ES_MODEL_UNEXPLAINED]))
		return PATHS_OK;
	return es__table_row(table,
	    (struct es_value[ROW_COLUMNS]){ report_id(row->phase),
		ES_INT(row->rank), ES_STR(es_model_kind_name(kind)),
		ES_INT((int64_t)row->bursts), ES_INT((int64_t)row->sent),
		ES_INT((int64_t)row->received),
		ES_INT((int64_t)row->sent_bytes),
		ES_INT((int64_t)row->received_bytes),
		ES_INT((int64_t)row->largest_burst), ES_NUM(row->inversions),
		report_ns(row->measured_s), report_ns(parts[ES_MODEL_LATE]),
		report_ns(parts[ES_MODEL_LATE_RECEIVER]),
		report_ns(parts[ES_MODEL_LATENCY]),
		report_ns(parts[ES_MODEL_BANDWIDTH]),
		report_ns(parts[ES_MODEL_QUEUE]),
		report_ns(parts[ES_MODEL_CONTENTION]),
		report_ns(parts[ES_MODEL_UNEXPLAINED]),
		ES_STR(es_model_part_name(dominant)), report_id(row->named) });
}

/* Prints all rows and models, for programs. */
static paths_status
report_rows(const struct es_command_model_report *report)
{
	const struct es_model_run *run = report->run;
	struct es__table *table;
	paths_status st =
	    report_open(report->form, row_names, ROW_COLUMNS, &table);

	if (st != PATHS_OK)
		return st;
	for (size_t n = 0; n < run->row_count; n++)
		for (unsigned kind = 0; st == PATHS_OK && kind < ES_MODEL_KINDS;
		     kind++)
			if (es_model_run_knows(run, (enum es_model_kind)kind))
				st = report_row(table, &run->rows[n],
				    (enum es_model_kind)kind);
	return report_close(table, st);
}

/* Returns the largest cost of a rank in a phase; NAN: it is not known. */
static double
phase_cost(const struct es_command_model_report *report,
    const struct es_model_run_phase *phase, enum es_model_kind kind)
{
	if (!es_model_run_knows(report->run, kind))
		return NAN;
	return es_model_total(
	    report->run->rows[phase->predicted[kind]].costs[kind]);
}

/* Returns the time of the slowest rank, without that of late ranks. */
static double
phase_measured(const struct es_model_run *run,
    const struct es_model_run_phase *phase)
{
	return es_model_run_busy_s(&run->rows[phase->slowest]);
}

/* Prints a row for each phase: the slowest rank beside that of each model. */
static paths_status
report_phases(const struct es_command_model_report *report)
{
	const struct es_model_run *run = report->run;
	const char *names[5 + ES_MODEL_KINDS] = { "phase", "ranks", "messages",
		"largest burst", "without late" };
	struct es__table *table;
	paths_status st;

	for (unsigned k = 0; k < ES_MODEL_KINDS; k++)
		names[5 + k] = es_model_kind_name((enum es_model_kind)k);
	st = report_open(report->form, names, ARRAY_COUNT(names), &table);
	if (st != PATHS_OK)
		return st;
	for (size_t n = 0; st == PATHS_OK && n < run->phase_count; n++) {
		const struct es_model_run_phase *p = &run->phases[n];
		char texts[1 + ES_MODEL_KINDS][PATHS_UNIT_TEXT_BYTES];
		char name[ES_MODEL_PHASE_BYTES];
		struct es_value cells[ARRAY_COUNT(names)];
		uint64_t messages = 0, largest = 0;

		for (size_t r = p->row_first; r < p->row_first + p->row_count;
		     r++) {
			messages += run->rows[r].received;
			if (run->rows[r].largest_burst > largest)
				largest = run->rows[r].largest_burst;
		}
		cells[0] = report_phase(run, p->phase, p->named, name);
		cells[1] = ES_INT((int64_t)p->row_count);
		cells[2] = ES_INT((int64_t)messages);
		cells[3] = ES_INT((int64_t)largest);
		cells[4] = report_time(report->form, phase_measured(run, p),
		    texts[ES_MODEL_KINDS]);
		for (unsigned k = 0; k < ES_MODEL_KINDS; k++)
			cells[5 + k] = report_time(report->form,
			    phase_cost(report, p, (enum es_model_kind)k),
			    texts[k]);
		st = es__table_row(table, cells);
	}
	return report_close(table, st);
}

static paths_status
report_parts_row(const struct es_model_run *run, struct es__table *table,
    const struct es_model_run_row *row, enum es_model_kind kind)
{
	char name[ES_MODEL_PHASE_BYTES];
	char texts[1 + PARTS][PATHS_UNIT_TEXT_BYTES];
	struct es_value cells[4 + PARTS];
	double parts[PARTS];
	enum es_model_part dominant = es_model_run_parts(row, kind, parts);

	cells[0] = report_phase(run, row->phase, row->named, name);
	cells[1] = ES_INT(row->rank);
	cells[2] = report_time(ES_SHOW_TEXT, row->measured_s, texts[PARTS]);
	for (unsigned n = 0; n < PARTS; n++)
		cells[3 + n] = report_time(ES_SHOW_TEXT, parts[n], texts[n]);
	cells[3 + PARTS] = isnan(parts[ES_MODEL_UNEXPLAINED]) ?
	    ES_NIL :
	    ES_STR(es_model_part_name(dominant));
	return es__table_row(table, cells);
}

/* Prints the parts of each rank under one model. */
static paths_status
report_parts(const struct es_command_model_report *report,
    enum es_model_kind kind)
{
	const struct es_model_run *run = report->run;
	const char *names[4 + PARTS] = { "phase", "rank", "measured" };
	struct es__table *table;
	paths_status st;

	for (unsigned n = 0; n < PARTS; n++)
		names[3 + n] = es_model_part_name((enum es_model_part)n);
	names[3 + PARTS] = "dominant";
	st = report_open(report->form, names, ARRAY_COUNT(names), &table);
	if (st != PATHS_OK)
		return st;
	for (size_t n = 0;
	     st == PATHS_OK && n < run->row_count && n < ES_SHOW_LIMIT; n++)
		st = report_parts_row(run, table, &run->rows[n], kind);
	st = report_close(table, st);
	if (st == PATHS_OK && run->row_count > ES_SHOW_LIMIT)
		printf("%u of %zu rows are shown; --csv and --json have all.\n",
		    ES_SHOW_LIMIT, run->row_count);
	return st;
}

/* Prints the phase whose time differs most from its model. */
static void
report_deviation(const struct es_command_model_report *report,
    enum es_model_kind kind)
{
	const struct es_model_run *run = report->run;
	const struct es_model_run_phase *most = NULL;
	double largest = -1;
	enum es_model_part dominant;
	double parts[PARTS];
	char name[ES_MODEL_PHASE_BYTES];
	char texts[3][PATHS_UNIT_TEXT_BYTES];

	for (size_t n = 0; n < run->phase_count; n++) {
		const struct es_model_run_phase *p = &run->phases[n];
		double off =
		    fabs(phase_measured(run, p) - phase_cost(report, p, kind));

		if (off > largest) {
			largest = off;
			most = p;
		}
	}
	if (most == NULL) {
		printf("The model %s has no times for these messages.\n",
		    es_model_kind_name(kind));
		return;
	}
	dominant =
	    es_model_run_parts(&run->rows[most->predicted[kind]], kind, parts);
	es_model_phase_text(run, most->phase, most->named, name);
	printf("Messages %s%s deviate most from the model %s%s%s: rank %" PRIu32
	       " takes %s for them without waiting for late senders and "
	       "receivers, and "
	       "%s (rank %" PRIu32 ") are predicted, most of it %s.\n",
	    name[0] == '\0' ? "outside of loops" : "in ", name,
	    es_model_kind_name(kind),
	    report->model->machine[0] == 0 ? "" : " of ",
	    report->model->machine, run->rows[most->slowest].rank,
	    paths_unit_text(PATHS_UNIT_TIME,
		es_model_ns(phase_measured(run, most)), texts[0]),
	    paths_unit_text(PATHS_UNIT_TIME,
		es_model_ns(phase_cost(report, most, kind)), texts[1]),
	    run->rows[most->predicted[kind]].rank,
	    es_model_part_name(dominant));
}

/* Prints what the costs stand on. */
static void
report_grounds(const struct es_command_model_report *report)
{
	const struct es_model_run *run = report->run;
	static const char *const queues[] = {
		"Queues of the library are not known: one is taken.",
		"The library has one queue for all senders.",
		"The library has a queue for each sender."
	};
	char text[ES_MODEL_RUN_BYTES];

	puts(es_model_run_text(run, report->model, text));
	for (size_t n = 0; n < run->locality_count; n++)
		if (run->messages_of[n] > 0)
			printf("%" PRIu64 " messages cost as %s.\n",
			    run->messages_of[n],
			    report->model->localities[n].name);
	if (run->messages > run->between_hosts && run->placed == 0)
		puts("Localities inside of a host are not told apart: only "
		     "hosts are known.");
	else if (run->messages > run->between_hosts &&
	    run->placed < run->rank_count)
		printf("The processors of %" PRIu32 " of %" PRIu32
		       " ranks are known; of others, only the host.\n",
		    run->placed, run->rank_count);
	puts(queues[report->model->queue]);
	if (!es_model_run_knows(run, ES_MODEL_CONTENDED))
		puts("Contention needs --hops or --arity, and messages between "
		     "hosts.");
	else
		printf("A byte between hosts passes %.3g links in the mean.\n",
		    run->hops);
}

paths_status
es_command_model_report(const struct es_command_model_report *report)
{
	const struct es_model_run *run = report->run;
	enum es_model_kind kind = report->kind;
	paths_status st;

	if (report->form != ES_SHOW_TEXT)
		return report_rows(report);
	report_grounds(report);
	if (run->phase_count == 0) {
		puts("The run has no messages whose send and receive are "
		     "known.");
		return PATHS_OK;
	}
	if (kind == ES_MODEL_KINDS)
		kind = es_model_run_kind(run);
	report_deviation(report, kind);
	putchar('\n');
	st = report_phases(report);
	if (st != PATHS_OK)
		return st;
	printf("\nParts of the time of each rank, by the model %s:\n\n",
	    es_model_kind_name(kind));
	return report_parts(report, kind);
}
