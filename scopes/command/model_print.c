/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/model_print.c - prints the model of a machine
 */

#include "scopes/command/model_print.h"

#include "scopes/show/table_private.h"

#include "libpaths/unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const column_names[] = { "locality", "fit", "from_bytes",
	"protocol", "latency_ns", "rate_bytes_s", "node_rate_bytes_s",
	"samples", "error_median", "error_p90", "error_rms" };
#define COLUMNS (sizeof(column_names) / sizeof(*column_names))

/* Names of columns in text, where numbers have units. */
static const char *const text_names[COLUMNS] = { "locality", "fit", "from",
	"protocol", "latency", "rate", "node rate", "samples", "median error",
	"p90", "rms" };

/* Returns a number for a program, or text with its unit for people. */
static struct es_value
print_number(enum es_show_form form, enum paths_unit unit, double value,
    char text[PATHS_UNIT_TEXT_BYTES])
{
	if (!isfinite(value))
		return ES_NIL;
	if (form != ES_SHOW_TEXT)
		return ES_NUM(value);
	return ES_STR(paths_unit_text(unit, value, text));
}

static struct es_value
print_error(enum es_show_form form, const struct es_model_error *error,
    double value, char text[PATHS_UNIT_TEXT_BYTES])
{
	return print_number(form, PATHS_UNIT_SHARE,
	    error->samples == 0 ? NAN : value, text);
}

static paths_status
print_segment(struct es__table *table, enum es_show_form form,
    const struct es_model_locality *locality, enum es_model_fit fit,
    const struct es_model_segment *s)
{
	static const char *const fits[] = { "paper", "segments" };
	char texts[6][PATHS_UNIT_TEXT_BYTES];

	return es__table_row(table,
	    (struct es_value[COLUMNS]){ ES_STR(locality->name),
		ES_STR(fits[fit]), ES_INT((int64_t)s->first_bytes),
		s->protocol[0] == 0 ? ES_NIL : ES_STR(s->protocol),
		print_number(form, PATHS_UNIT_TIME, s->alpha_s * 1e9, texts[0]),
		print_number(form, PATHS_UNIT_RATE, s->rate, texts[1]),
		print_number(form, PATHS_UNIT_RATE, s->node_rate, texts[2]),
		s->error.samples == 0 ? ES_NIL :
					ES_INT((int64_t)s->error.samples),
		print_error(form, &s->error, s->error.median, texts[3]),
		print_error(form, &s->error, s->error.p90, texts[4]),
		print_error(form, &s->error, s->error.rms, texts[5]) });
}

static paths_status
print_locality(struct es__table *table, enum es_show_form form,
    const struct es_model_locality *locality)
{
	paths_status st = PATHS_OK;

	for (unsigned fit = 0; fit < ES_MODEL_FITS; fit++)
		for (size_t n = 0;
		     st == PATHS_OK && n < locality->fits[fit].count; n++)
			st = print_segment(table, form, locality,
			    (enum es_model_fit)fit,
			    &locality->fits[fit].list[n]);
	return st;
}

static paths_status
print_table(const struct es_model *model, enum es_show_form form)
{
	struct es__table *table;
	paths_status st = es__table_open(stdout, form, COLUMNS, &table);

	if (st != PATHS_OK)
		return st;
	for (unsigned n = 0; st == PATHS_OK && n < COLUMNS; n++)
		st = es__table_name(table, n,
		    form == ES_SHOW_TEXT ? text_names[n] : column_names[n]);
	for (size_t n = 0; st == PATHS_OK && n < model->locality_count; n++)
		st = print_locality(table, form, &model->localities[n]);
	if (st == PATHS_OK)
		return es__table_close(table);
	es__table_cancel(table);
	return st;
}

static void
print_text(const char *about, const char *text)
{
	if (text[0] != 0)
		printf("%s: %s\n", about, text);
}

/* Prints gamma(n) as it was measured: its ends, and its largest value. */
static void
print_gammas(const struct es_model *model)
{
	const struct es_model_gamma *first = &model->gammas[0];
	const struct es_model_gamma *last =
	    &model->gammas[model->gamma_count - 1];
	const struct es_model_gamma *most = first;

	for (const struct es_model_gamma *g = first; g <= last; g++)
		if (g->gamma_s > most->gamma_s)
			most = g;
	printf("gamma(n), measured for n messages: %.3g s for %" PRIu64
	       ", %.3g s for %" PRIu64 ", at most %.3g s for %" PRIu64 ".\n",
	    first->gamma_s, first->messages, last->gamma_s, last->messages,
	    most->gamma_s, most->messages);
}

static void
print_queue(const struct es_model *model)
{
	static const char *const queues[] = {
		"It is not known how the library queues messages.\n",
		"The library has one queue of messages for all senders.\n",
		"The library has a queue of messages for each sender.\n"
	};

	fputs(queues[model->queue], stdout);
	if (!isnan(model->gamma_s))
		printf("gamma, the constant of the paper's fit: a search of "
		       "queues costs n^2 times %.3g s.\n",
		    model->gamma_s);
	if (model->gamma_count > 0)
		print_gammas(model);
	if (!isnan(model->delta_s))
		printf("A byte of contention costs %.3g s.\n", model->delta_s);
}

void
es_command_model_drift(const struct es_model *model, FILE *out)
{
	char texts[2][PATHS_UNIT_TEXT_BYTES];

	if (!(model->drift > model->drift_limit))
		return;
	fprintf(out,
	    "Warning: the machine changed by %s while it was measured, more "
	    "than %s: its times are in doubt.\n",
	    paths_unit_text(PATHS_UNIT_SHARE, model->drift, texts[0]),
	    paths_unit_text(PATHS_UNIT_SHARE, model->drift_limit, texts[1]));
}

/* Prints the eager limits and the streams of a locality. */
static void
print_limits(const struct es_model_locality *l)
{
	if (l->eager_asked > 0 && l->eager_asked == l->eager_probed)
		printf("%s: the eager limit is %" PRIu64
		       " B, as the library tells and as was measured.\n",
		    l->name, l->eager_asked);
	else if (l->eager_asked > 0)
		printf("%s: the library tells an eager limit of %" PRIu64
		       " B.\n",
		    l->name, l->eager_asked);
	if (l->eager_probed > 0 && l->eager_probed != l->eager_asked)
		printf("%s: sends of up to %" PRIu64
		       " B were seen not to wait.\n",
		    l->name, l->eager_probed);
	if (l->stream.counts != NULL)
		printf("%s: streams of up to %" PRIu64
		       " messages are in the model.\n",
		    l->name, l->stream.counts[l->stream.count_count - 1]);
}

/* Prints what a table has no place for. */
static void
print_sentences(const struct es_model *model)
{
	char text[PATHS_UNIT_TEXT_BYTES];

	print_text("Machine", model->machine);
	if (strcmp(model->host, model->machine) != 0)
		print_text("Hosts", model->host);
	print_text("Processor", model->cpu);
	print_text("MPI", model->mpi);
	print_text("Date", model->date);
	print_text("Note", model->note);
	print_queue(model);
	for (size_t n = 0; n < model->locality_count; n++)
		print_limits(&model->localities[n]);
	if (!isnan(model->drift) && !(model->drift > model->drift_limit))
		printf("The machine changed by %s while it was measured.\n",
		    paths_unit_text(PATHS_UNIT_SHARE, model->drift, text));
	es_command_model_drift(model, stdout);
	putchar('\n');
}

paths_status
es_command_model_print(const struct es_model *model, enum es_show_form form)
{
	if (form == ES_SHOW_TEXT)
		print_sentences(model);
	return print_table(model, form);
}
