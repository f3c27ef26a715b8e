/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/advise_main.c - eventspace advise: prints the changes that
 * would gain most
 */

#include "scopes/command/advise_place.h"
#include "scopes/command/plugins.h"
#include "scopes/command/replay.h"
#include "scopes/show/table_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct advise {
	struct es_command command;
	struct es_command_replay replay;
	enum es_show_form form;
};

static const struct paths_command_option advise_options[] = {
	ES_SHOW_FORM_OPTIONS(struct advise, form),
	ES_COMMAND_CLOCK(struct advise, replay.clock),
	ES_COMMAND_PLUGIN(struct advise, command.plugins),
	PATHS_COMMAND_QUIET(struct advise, command.quiet),
};

static const struct paths_command_operand advise_operands[] = {
	{ "RUN", false, PATHS_COMMAND_TO_OPERAND(struct advise, replay.name) },
};

static const struct paths_command advise_command = {
	.verb = "advise",
	.about = "the changes that would gain most of a run",
	.usage = "[OPTIONS] RUN",
	.text = "Prints the changes that would make a run shorter by 1 % or "
		"more, found by\nreplaying its trace: the gain, the evidence, "
		"and how sure it is.\nRUN is a run directory.",
	PATHS_COMMAND_OPTIONS(advise_options),
	PATHS_COMMAND_OPERANDS(advise_operands),
};

static const char *const column_names[] = { "kind", "gain", "gain_ns", "change",
	"about", "evidence", "at_ns", "sure" };
#define COLUMNS (sizeof(column_names) / sizeof(*column_names))

/* Adds the row of a placement.  Its gain is no share of the run. */
static paths_status
advise_place_row(struct es__table *table, const struct es_advise_place *found)
{
	return es__table_row(table,
	    (struct es_value[COLUMNS]){ ES_STR("placement"), ES_NIL, ES_NIL,
		ES_STR(found->change), ES_STR(found->about),
		ES_STR(found->evidence), ES_NIL,
		ES_STR("the cost is no time") });
}

static paths_status
advise_table(const struct advise *advise, const struct es_whatif_advice *list,
    size_t count)
{
	struct es__table *table;
	struct es_advise_place found;
	paths_status st = es__table_open(stdout, advise->form, COLUMNS, &table);

	if (st != PATHS_OK)
		return st;
	for (unsigned n = 0; st == PATHS_OK && n < COLUMNS; n++)
		st = es__table_name(table, n, column_names[n]);
	es_advise_place_find(advise->replay.name, &found);
	for (size_t n = 0; st == PATHS_OK && n < count; n++) {
		const struct es_whatif_advice *a = &list[n];

		st = es__table_row(table,
		    (struct es_value[COLUMNS]){ ES_STR(a->kind),
			ES_NUM(a->gain), ES_NUM(a->gain_ns), ES_STR(a->change),
			ES_STR(a->about), ES_STR(a->evidence),
			isnan(a->at_ns) ? ES_NIL : ES_NUM(a->at_ns),
			ES_STR(a->sure) });
	}
	if (st == PATHS_OK && found.gain > 0)
		st = advise_place_row(table, &found);
	if (st == PATHS_OK)
		return es__table_close(table);
	es__table_cancel(table);
	return st;
}

static void
advise_item(const struct es_whatif_advice *a, size_t number)
{
	char texts[3][PATHS_UNIT_TEXT_BYTES];

	printf("\n%zu. %s of the run, %s: %s.\n", number,
	    paths_unit_text(PATHS_UNIT_SHARE, a->gain, texts[0]),
	    paths_unit_text(PATHS_UNIT_TIME, a->gain_ns, texts[1]), a->about);
	printf("   Change: %s\n", a->change);
	printf("   Evidence: %s", a->evidence);
	if (!isnan(a->at_ns))
		printf("; look at %s",
		    paths_unit_text(PATHS_UNIT_TIME, a->at_ns, texts[2]));
	printf("\n   Sure: %s.\n", a->sure);
}

/* Prints the items of one kind, or of all but cores and code, below a line.
   Returns their count. */
static size_t
advise_items(const struct es_whatif_advice *list, size_t count,
    const char *kind, const char *heading)
{
	size_t printed = 0;

	for (size_t n = 0; n < count; n++) {
		bool apart = strcmp(list[n].kind, "cores") == 0 ||
		    strcmp(list[n].kind, "code") == 0;

		if (kind == NULL ? apart : strcmp(list[n].kind, kind) != 0)
			continue;
		if (printed++ == 0 && heading != NULL)
			printf("\n%s\n", heading);
		advise_item(&list[n], n + 1);
	}
	return printed;
}

static bool
advise_has(const struct es_whatif_advice *list, size_t count, const char *kind)
{
	for (size_t n = 0; n < count; n++)
		if (strcmp(list[n].kind, kind) == 0)
			return true;
	return false;
}

static void
advise_print(const struct advise *advise, const struct es_whatif_advice *list,
    size_t count)
{
	bool lost = advise_has(list, count, "cores");

	if (advise_items(list, count, NULL, NULL) == 0)
		printf("Nothing stands out%s: no %sthread, imbalance, wait or "
		       "network would gain 1 %% of the run.\n",
		    lost ? " apart from what lost cores explain" : "",
		    lost ? "other " : "");
	/* A rank that lost no core while others did may gain nothing. */
	if (advise->replay.overload.most != NULL)
		printf("%s%s\n",
		    advise_has(list, count, "rank") ||
			    advise_has(list, count, "balance") ?
			"\n" :
			"",
		    advise->replay.overload.most);
	(void)advise_items(list, count, "cores",
	    "These follow from lost cores, and may say nothing about the "
	    "program:");
	(void)advise_items(list, count, "code",
	    "The run depends on this code:");
}

/* Returns the exit status. */
static int
advise_run(struct advise *advise)
{
	const struct es_whatif_account *account;
	const struct es_whatif_advice *list = NULL;
	FILE *out = advise->form == ES_SHOW_TEXT ? stdout : stderr;
	struct es_advise_place found;
	size_t count = 0;
	paths_status st = PATHS_OK;

	if (es_command_replay_open(&advise->command, &advise->replay) !=
	    PATHS_OK)
		return es_command_fail(&advise->command);
	account = es_whatif_account(advise->replay.whatif);
	if (advise->form == ES_SHOW_TEXT || account->drift > ES_WHATIF_DRIFT ||
	    advise->replay.lacks_most)
		(void)es_command_replay_drift(&advise->replay, out);
	if (account->drift > ES_WHATIF_DRIFT)
		return PATHS_COMMAND_FAILED;
	/* A replay of a graph that lacks most waits gains something else. */
	if (!advise->replay.lacks_most)
		st = es_whatif_advise(advise->replay.whatif, &list, &count);
	if (st == PATHS_OK && advise->form != ES_SHOW_TEXT)
		st = advise_table(advise, list, count);
	if (st != PATHS_OK)
		return es_command_fail(&advise->command);
	if (advise->form == ES_SHOW_TEXT) {
		es_command_replay_frozen(&advise->replay, stdout);
		if (!advise->replay.lacks_most)
			advise_print(advise, list, count);
		es_advise_place_find(advise->replay.name, &found);
		es_advise_place_print(&found, stdout);
	}
	return PATHS_COMMAND_DONE;
}

int
main(int argc, char **argv)
{
	struct advise advise = { .form = ES_SHOW_TEXT,
		.command.verb = "advise" };
	int status = paths_command_read(&advise_command, &advise, argc, argv);

	if (status == PATHS_COMMAND_GO_ON)
		status = es_command_plugins(&advise.command);
	if (status != PATHS_COMMAND_GO_ON)
		return status;
	status = advise_run(&advise);
	es_command_replay_close(&advise.replay);
	return status;
}
