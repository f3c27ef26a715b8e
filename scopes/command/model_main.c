/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/model_main.c - eventspace model: cost models of messages
 */

#include "scopes/cluster/rankfile_private.h"
#include "scopes/cluster/recorded_private.h"
#include "scopes/command/model_elsewhere.h"
#include "scopes/command/model_file.h"
#include "scopes/command/model_fit.h"
#include "scopes/command/model_hops.h"
#include "scopes/command/model_print.h"
#include "scopes/command/model_proxies.h"
#include "scopes/command/model_report.h"
#include "scopes/command/plugins.h"
#include "scopes/command/store.h"
#include "scopes/mpi.h"
#include "scopes/placement/price_private.h"
#include "scopes/show/overload.h"

#include "libpaths/log.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct model {
	struct es_command command;
	enum es_show_form form;
	enum es_model_fit fit;
	const char *name; /* of a run or a model; NULL: none */
	const char *clock;
	const char *with, *elsewhere, *samples, *output; /* files; NULL: none */
	const char *placement;				 /* file; NULL: none */
	const char *machine;				 /* NULL: not given */
	const char *kind_name, *hops_text, *arity;	 /* NULL: not given */
	enum es_model_kind kind;
	double hops;
	bool unkept; /* the model is not kept with the run */
	bool is_run; /* `name` is that of a run */
};

static paths_status
model_kind_find(const char *word, enum es_model_kind *kind)
{
	for (unsigned n = 0; n < ES_MODEL_KINDS; n++)
		if (strcmp(word, es_model_kind_name((enum es_model_kind)n)) ==
		    0) {
			*kind = (enum es_model_kind)n;
			return PATHS_OK;
		}
	return paths_log_fail(PATHS_EINVAL,
	    "no model \"%s\": postal, max-rate, node-aware, queue, contention "
	    "or stream",
	    word);
}

static paths_status
model_kind_check(const char *word)
{
	enum es_model_kind kind;

	return model_kind_find(word, &kind);
}

static paths_status
model_hops_check(const char *word)
{
	char *end;
	double hops = strtod(word, &end);

	if (*word != 0 && *end == 0 && isfinite(hops) && hops >= 0)
		return PATHS_OK;
	return paths_log_fail(PATHS_EINVAL,
	    "hops are \"%s\", not a number from 0 on", word);
}

static const struct paths_command_option model_options[] = {
	{ "with", 'w', "FILE", "model that the run is compared with", 0,
	    PATHS_COMMAND_TO_WORD(struct model, with) },
	{ "elsewhere", 0, "FILE",
	    "model of another machine: the cost of the messages there", 0,
	    PATHS_COMMAND_TO_WORD(struct model, elsewhere) },
	{ "placement", 0, "FILE",
	    "other cores and hosts of the ranks, as eventspace place --format "
	    "table: the cost of the messages there",
	    0, PATHS_COMMAND_TO_WORD(struct model, placement) },
	{ "model", 0, "KIND",
	    "model whose parts are printed by rank: postal, max-rate, "
	    "node-aware, queue, contention or stream",
	    0,
	    PATHS_COMMAND_TO_CHECKED(struct model, kind_name,
		model_kind_check) },
	{ "paper", 0, NULL,
	    "segments with fixed cuts, instead of those that were found", 0,
	    PATHS_COMMAND_TO_SET(struct model, fit, ES_MODEL_PAPER) },
	{ "hops", 0, "H", "mean hops of a byte in the network, for contention",
	    0,
	    PATHS_COMMAND_TO_CHECKED(struct model, hops_text,
		model_hops_check) },
	{ "arity", 0, "N:N",
	    "group the hosts below switches, as eventspace place does: the "
	    "hops of each byte, for contention",
	    0, PATHS_COMMAND_TO_WORD(struct model, arity) },
	{ "no-keep", 0, NULL,
	    "do not keep the model with the run, for its views", 0,
	    PATHS_COMMAND_TO_SET(struct model, unkept, true) },
	{ "fit", 0, "DATA",
	    "CSV file of measured times: locality,bytes,ppn,seconds", 0,
	    PATHS_COMMAND_TO_WORD(struct model, samples) },
	{ "machine", 0, "NAME", "name of the machine, for --fit", 0,
	    PATHS_COMMAND_TO_WORD(struct model, machine) },
	{ "output", 'o', "FILE", "file for the model of --fit", 0,
	    PATHS_COMMAND_TO_WORD(struct model, output) },
	ES_SHOW_FORM_OPTIONS(struct model, form),
	ES_COMMAND_CLOCK(struct model, clock),
	ES_COMMAND_PLUGIN(struct model, command.plugins),
	PATHS_COMMAND_QUIET(struct model, command.quiet),
};

static const struct paths_command_operand model_operands[] = {
	{ "FILE", true, PATHS_COMMAND_TO_OPERAND(struct model, name) },
};

static const struct paths_command model_command = {
	.verb = "model",
	.about = "cost models of messages, and a run beside them",
	.usage = "[OPTIONS] RUN [--with FILE] [--elsewhere FILE]\n"
		 "FILE\n"
		 "--fit DATA [-o FILE]",
	.text =
	    "Compares the point-to-point messages of an MPI run, recorded in "
	    "mode trace, with\nthe model of a machine: latency, bandwidth, "
	    "queue and contention of each phase\nand rank; or the operations "
	    "of a run on paths through its proxies.  The model is\nkept with "
	    "the run, for its views.  Or prints a model, or fits one to "
	    "measured\ntimes.  eventspace-model(5) describes the file of a "
	    "model.",
	PATHS_COMMAND_OPTIONS(model_options),
	PATHS_COMMAND_OPERANDS(model_operands),
};

/* Prints a reason why the model may not be that of the run. */
static void
model_warn(void *to, const char *text)
{
	const struct model *m = to;

	es_command_note(&m->command, "warning: %s", text);
}

/* Reads a table of eventspace place for the hosts of a run.  Each processing
   unit takes one rank.  The caller frees *places. */
static paths_status
places_read(const char *file, const struct es_run *run, uint32_t rank_count,
    struct es_model_place **places)
{
	struct es__slots_options options = { .per_core = 1, .pus = true };
	struct es__cluster cluster = { 0 };
	struct es__slots slots = { 0 };
	uint32_t *at = calloc((size_t)rank_count + 1, sizeof(*at));
	struct es_model_place *made =
	    calloc((size_t)rank_count + 1, sizeof(*made));
	paths_status st = at == NULL || made == NULL ?
	    paths_log_fail(PATHS_ENOMEM, "no memory for places") :
	    es__recorded_hosts(&cluster, run, NULL, 0);

	if (st == PATHS_OK)
		st = es__slots_open(&cluster, &options, &slots);
	if (st == PATHS_OK)
		st = es__rankfile_read(file, &slots, at, rank_count);
	for (uint32_t n = 0; st == PATHS_OK && n < rank_count; n++)
		made[n] = es_place_of_slot(&slots.slots[at[n]]);
	es__slots_close(&slots);
	es__cluster_fini(&cluster);
	free(at);
	if (st == PATHS_OK)
		*places = made;
	else
		free(made);
	return st;
}

/* Compares the costs of the messages under two models, or two placements. */
static paths_status
model_elsewhere(const struct model *m, struct es_analysis *analysis,
    const struct es_model *model_here, const struct es_model_run *here,
    const uint32_t *links)
{
	struct es_model_run_options options = { .fit = m->fit,
		.hops = m->hops,
		.links = links };
	struct es_model_run_options options_there = options;
	struct es_command_model_replay replay = { .here = model_here,
		.there = model_here,
		.options_here = &options,
		.options_there = &options_there,
		.kind =
		    m->kind == ES_MODEL_KINDS ? ES_MODEL_NODE_AWARE : m->kind,
		.out = m->form == ES_SHOW_TEXT ? stdout : stderr };
	struct es_model_run *there = NULL;
	struct es_model *model = NULL;
	struct es_model_place *places = NULL;
	paths_status st = PATHS_OK;

	if (m->elsewhere != NULL)
		st = es_command_model_read(m->elsewhere, &model);
	if (st == PATHS_OK && m->placement != NULL)
		st = places_read(m->placement, es_analysis_run(analysis),
		    here->rank_count, &places);
	if (model != NULL)
		replay.there = model;
	options_there.places = places;
	if (st == PATHS_OK)
		st = es_model_run_open(analysis, replay.there, &options_there,
		    &there);
	if (st == PATHS_OK)
		st = es_command_model_replay(analysis, &replay);
	if (st == PATHS_OK) {
		es_command_model_drift(replay.there, stderr);
		st = es_command_model_elsewhere(
		    &(struct es_command_model_elsewhere){ here, there, &replay,
			m->form, m->kind });
	}
	es_model_run_close(there);
	es_model_free(model);
	free(places);
	return st;
}

static paths_status
model_compare_linked(struct model *m, const struct es_model *model,
    struct es_analysis *analysis, const uint32_t *links)
{
	struct es_model_run_options options = { .fit = m->fit,
		.hops = m->hops,
		.links = links };
	struct es_command_model_report report = { .model = model,
		.form = m->form,
		.kind = m->kind };
	struct es_model_run *found;
	paths_status st = es_model_run_open(analysis, model, &options, &found);

	if (st != PATHS_OK)
		return st;
	es_model_run_doubts(es_analysis_run(analysis), model, model_warn, m);
	report.run = found;
	st = m->elsewhere == NULL && m->placement == NULL ?
	    es_command_model_report(&report) :
	    model_elsewhere(m, analysis, model, found, links);
	es_model_run_close(found);
	return st;
}

static paths_status
model_compare(struct model *m, const struct es_model *model,
    struct es_analysis *analysis)
{
	uint32_t *links = NULL;
	paths_status st = PATHS_OK;

	if (m->arity != NULL)
		st = es_command_model_hops(es_analysis_run(analysis), m->arity,
		    &links);
	if (st == PATHS_OK)
		st = model_compare_linked(m, model, analysis, links);
	free(links);
	return st;
}

/* Tells if the machine of the run was overloaded: above the tables for people,
   else as a warning. */
static paths_status
model_overload(const struct model *m)
{
	struct es_overload overload = { 0 };
	struct es_store *store;
	paths_status st = es_command_store(&m->command, m->name, &store);

	if (st != PATHS_OK)
		return st;
	st = es_overload_read(store, &overload);
	es_store_close(store);
	if (overload.load != NULL && m->form == ES_SHOW_TEXT)
		printf("%s  Times in calls include time without a core.\n",
		    overload.load);
	else if (overload.load != NULL)
		es_command_note(&m->command, "warning: %s", overload.load);
	es_overload_fini(&overload);
	return st;
}

/* Keeps the model with the run, for the view cost_model. */
static void
model_keep(const struct model *m, const struct es_model *model)
{
	if (m->unkept || m->with == NULL)
		return;
	if (access(m->name, W_OK) != 0)
		es_command_note(&m->command,
		    "%s is not writable: the model is not kept with it",
		    m->name);
	else if (es_model_keep(model, m->name) != PATHS_OK)
		es_command_note(&m->command,
		    "warning: the model is not kept: "
		    "%s",
		    paths_log_last());
}

/* Reads the model of --with, or the one that is kept with the run. */
static paths_status
model_of_run(const struct model *m, struct es_model **model)
{
	char kept[PATH_MAX];

	(void)snprintf(kept, sizeof(kept), "%s/" ES_MODEL_KEPT, m->name);
	return m->with != NULL ? es_command_model_read(m->with, model) :
				 es_model_read(kept, model);
}

/* Returns an option that was given and is only for MPI runs; NULL: there is
   none. */
static const char *
model_mpi_option(const struct model *m)
{
	if (m->elsewhere != NULL)
		return "elsewhere";
	if (m->placement != NULL)
		return "placement";
	if (m->kind_name != NULL)
		return "model";
	if (m->arity != NULL)
		return "arity";
	return m->hops_text != NULL ? "hops" : NULL;
}

/* Compares the operations of a run through proxies with a model. */
static paths_status
model_proxies(struct model *m, const struct es_model *model,
    struct es_analysis *analysis)
{
	const struct es_run *run = es_analysis_run(analysis);
	struct es_model_proxies *found;
	paths_status st;

	if (model_mpi_option(m) != NULL)
		return paths_log_fail(PATHS_EINVAL,
		    "--%s is for runs of MPI processes, and %s is not one",
		    model_mpi_option(m), m->name);
	st = es_model_proxies_open(analysis, model, m->fit, &found);
	if (st != PATHS_OK)
		return st;
	es_model_run_doubts(run, model, model_warn, m);
	st = es_command_model_proxies(&(struct es_command_model_proxies){ model,
	    es_run_map(run), found, m->form });
	es_model_proxies_close(found);
	return st;
}

/* Compares the run with a model. */
static paths_status
model_run(struct model *m)
{
	struct es_model *model;
	struct es_analysis *analysis = NULL;
	struct es_run *run = NULL;
	paths_status st = model_of_run(m, &model);

	if (st != PATHS_OK)
		return st;
	st = es_run_open(m->name, &run);
	if (st == PATHS_OK)
		st = es_analysis_open(run, 0, m->clock, &analysis);
	if (st == PATHS_OK)
		model_keep(m, model);
	if (st == PATHS_OK)
		st = model_overload(m);
	if (st == PATHS_OK)
		st = es_run_mpi(run) != NULL ?
		    model_compare(m, model, analysis) :
		    model_proxies(m, model, analysis);
	es_analysis_close(analysis);
	es_run_close(run);
	es_model_free(model);
	return st;
}

/* Makes a model of the samples of --fit, or reads one, and prints it. */
static paths_status
model_show(const struct model *m)
{
	struct es_model *model;
	paths_status st = m->samples == NULL ?
	    es_command_model_read(m->name, &model) :
	    es_command_model_fit(m->samples, &model);

	if (st != PATHS_OK)
		return st;
	if (m->machine != NULL)
		es_model_set_text(model->machine, m->machine);
	if (m->output != NULL)
		st = es_model_write(model, m->output);
	if (st == PATHS_OK && !(m->command.quiet && m->output != NULL))
		st = es_command_model_print(model, m->form);
	es_model_free(model);
	return st;
}

/* Returns whether a model is kept with a run: a pipe is none. */
static bool
model_has_kept(const char *run)
{
	char kept[PATH_MAX];
	struct stat about;

	return snprintf(kept, sizeof(kept), "%s/" ES_MODEL_KEPT, run) <
	    PATH_MAX &&
	    stat(kept, &about) == 0 && S_ISREG(about.st_mode);
}

/* Returns an option that was given and is only for runs; NULL: there is
   none. */
static const char *
model_run_option(const struct model *m)
{
	if (m->elsewhere != NULL)
		return "elsewhere";
	if (m->placement != NULL)
		return "placement";
	if (m->kind_name != NULL)
		return "model";
	if (m->hops_text != NULL)
		return "hops";
	if (m->arity != NULL)
		return "arity";
	if (m->fit == ES_MODEL_PAPER)
		return "paper";
	if (m->unkept)
		return "no-keep";
	return m->clock != NULL ? "clock" : NULL;
}

/* Checks that the words fit together.  Returns PATHS_COMMAND_GO_ON, or the exit
   status. */
static int
model_check(struct model *m)
{
	struct stat about;

	if (m->samples != NULL && (m->name != NULL || m->with != NULL))
		return paths_command_wrong("model", "--fit takes no %s",
		    m->with != NULL ? "--with" : "operand");
	if (m->samples == NULL && (m->output != NULL || m->machine != NULL))
		return paths_command_wrong("model", "%s is for --fit",
		    m->output != NULL ? "--output" : "--machine");
	if (m->samples == NULL && m->name == NULL)
		return paths_command_wrong("model",
		    "the run or the file of a model is missing");
	m->is_run = m->with != NULL ||
	    (m->samples == NULL && stat(m->name, &about) == 0 &&
		S_ISDIR(about.st_mode));
	if (m->is_run && m->with == NULL && !model_has_kept(m->name))
		return paths_command_wrong("model",
		    "%s is a run, which needs --with FILE", m->name);
	if (!m->is_run && model_run_option(m) != NULL)
		return paths_command_wrong("model",
		    "--%s is for a run, which needs --with FILE",
		    model_run_option(m));
	if (m->hops_text != NULL && m->arity != NULL)
		return paths_command_wrong("model",
		    "--hops and --arity exclude each other");
	if (m->kind_name != NULL)
		(void)model_kind_find(m->kind_name, &m->kind);
	if (m->hops_text != NULL)
		m->hops = strtod(m->hops_text, NULL);
	return PATHS_COMMAND_GO_ON;
}

int
main(int argc, char **argv)
{
	struct model model = { .form = ES_SHOW_TEXT,
		.fit = ES_MODEL_SEGMENTS,
		.kind = ES_MODEL_KINDS,
		.hops = NAN,
		.command.verb = "model" };
	int status = paths_command_read(&model_command, &model, argc, argv);
	paths_status st;

	if (status == PATHS_COMMAND_GO_ON)
		status = model_check(&model);
	if (status == PATHS_COMMAND_GO_ON)
		status = es_command_plugins(&model.command);
	if (status != PATHS_COMMAND_GO_ON)
		return status;
	st = model.is_run ? model_run(&model) : model_show(&model);
	return st == PATHS_OK ? PATHS_COMMAND_DONE :
				es_command_fail(&model.command);
}
