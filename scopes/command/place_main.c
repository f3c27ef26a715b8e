/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/place_main.c - eventspace place: finds which rank should run
 * on which core
 */

#include "scopes/cluster/rankfile_private.h"
#include "scopes/command/model_file.h"
#include "scopes/command/plugins.h"
#include "scopes/placement/moves_private.h"
#include "scopes/show/table_private.h"

#include "libpaths/base/verb.h"
#include "libpaths/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct place {
	struct es_command command;
	const char *name; /* of the run, or the matrix */
	enum es_show_form form;
	struct es_place_count count;
	bool collectives_given, weight_given;
	const char *with; /* file of a model; NULL: none */
	struct es_model *model;
	struct es_place_asked asked;
	uint64_t seed, moves, time_ns;
	enum es__rankfile_format format;
	const char *output; /* NULL: standard output */
	const char *map;    /* that is changed; NULL: of the run */
	FILE *kept;	    /* moves for eventspace map; NULL: not needed */
};

static paths_status
place_option_weight(const char *word, void *values)
{
	struct place *place = values;

	place->weight_given = true;
	place->count.messages = strcmp(word, "messages") == 0;
	return place->count.messages || strcmp(word, "bytes") == 0 ?
	    PATHS_OK :
	    paths_log_fail(PATHS_EINVAL, "%s: expected bytes or messages",
		word);
}

static paths_status
place_option_collectives(const char *word, void *values)
{
	static const char *const names[] = { [ES_PLACE_PAIRS] = "pairs",
		[ES_PLACE_TREES] = "trees",
		[ES_PLACE_NONE] = "none" };
	struct place *place = values;

	for (size_t n = 0; n < sizeof(names) / sizeof(*names); n++) {
		if (strcmp(word, names[n]) == 0) {
			place->count.collectives = (enum es_place_collectives)n;
			place->collectives_given = true;
			return PATHS_OK;
		}
	}
	return paths_log_fail(PATHS_EINVAL, "%s: expected pairs, trees or none",
	    word);
}

static paths_status
place_option_format(const char *word, void *values)
{
	return es__rankfile_find(word, &((struct place *)values)->format);
}

static const struct paths_command_option place_options[] = {
	{ "format", 0, "FORMAT",
	    "rank file: openmpi, openmpi5, mpich, slurm, cray, table or split; "
	    "of a path map: map or moves",
	    0, PATHS_COMMAND_TO_CALL(place_option_format) },
	{ "output", 'o', "FILE",
	    "file of --format; default standard output, instead of the costs",
	    0, PATHS_COMMAND_TO_WORD(struct place, output) },
	ES_SHOW_FORM_OPTIONS(struct place, form),
	ES_COMMAND_PLUGIN(struct place, command.plugins),
	PATHS_COMMAND_QUIET(struct place, command.quiet),
	{ "map", 0, "FILE",
	    "path map that --format map changes; default that of the run", 0,
	    PATHS_COMMAND_TO_WORD(struct place, map) },
	PATHS_COMMAND_TITLE("Traffic:"),
	{ "threads", 0, NULL, "place the threads of a path map, not processes",
	    0, PATHS_COMMAND_TO_FLAG(struct place, count.threads) },
	{ "weight", 0, "WHAT", "bytes, the default, or messages of a run", 0,
	    PATHS_COMMAND_TO_CALL(place_option_weight) },
	{ "with", 0, "MODEL",
	    "place by the time of messages that this model predicts, see "
	    "eventspace-model(5)",
	    0, PATHS_COMMAND_TO_WORD(struct place, with) },
	{ "phase", 0, "NAME", "traffic of one phase of an MPI run", 0,
	    PATHS_COMMAND_TO_WORD(struct place, count.phase) },
	{ "collectives", 0, "HOW",
	    "pairs, the default: collectives of a run as comm_matrix has "
	    "them; trees: as algorithms of MPI libraries send them; none, the "
	    "default with a model: without them",
	    0, PATHS_COMMAND_TO_CALL(place_option_collectives) },
	PATHS_COMMAND_TITLE("Machine:"),
	{ "machine", 0, "SPEC",
	    "HOSTS:CORES, HOSTS:PACKAGES:CORES, with numbers of switches "
	    "before them (2:4:2:4: 2 switches of 4 hosts of 2 packages of 4 "
	    "cores), or a file that describes hosts; default those of the run",
	    0, PATHS_COMMAND_TO_WORD(struct place, asked.machine) },
	{ "topology", 0, "HOST=FILE",
	    "hwloc's XML of a host of the run; without HOST= of all hosts that "
	    "no other names; repeatable",
	    0, PATHS_COMMAND_TO_LIST(struct place, asked.topologies) },
	{ "arity", 0, "N:N",
	    "switches: numbers of switches, and of hosts of each, from the top",
	    0, PATHS_COMMAND_TO_WORD(struct place, asked.arity) },
	{ "links", 0, "N:N",
	    "cost of each level, from the top, for its two links (up and "
	    "down) together; default 2 for each level",
	    0, PATHS_COMMAND_TO_WORD(struct place, asked.links) },
	{ "per-core", 0, "N", "ranks on each core; default 1", 0,
	    PATHS_COMMAND_TO_NUMBER(struct place, asked.per_core, COUNT, 1,
		1024) },
	{ "hwthreads", 0, NULL, "hardware threads take the place of cores", 0,
	    PATHS_COMMAND_TO_FLAG(struct place, asked.pus) },
	{ "without", 0, "HOST", "a host that is not used; repeatable", 0,
	    PATHS_COMMAND_TO_LIST(struct place, asked.without) },
	{ "current", 0, "FILE",
	    "present placement, as --format table; default that of the run", 0,
	    PATHS_COMMAND_TO_WORD(struct place, asked.current) },
	PATHS_COMMAND_TITLE("Search:"),
	{ "seed", 0, "N", "seed of random choices; default 0", 0,
	    PATHS_COMMAND_TO_NUMBER(struct place, seed, COUNT, 0, INT64_MAX) },
	{ "moves", 0, "N", "moves to try; default by the number of ranks", 2,
	    PATHS_COMMAND_TO_NUMBER(struct place, moves, COUNT, 1, INT64_MAX) },
	{ "time", 0, "TIME", "CPU time to use, instead of a number of moves", 2,
	    PATHS_COMMAND_TO_NUMBER(struct place, time_ns, SECONDS, 1,
		INT64_MAX) },
};

static const struct paths_command_operand place_operands[] = {
	{ "RUN|MATRIX", false, PATHS_COMMAND_TO_OPERAND(struct place, name) },
};

static const struct paths_command place_command = {
	.verb = "place",
	.about = "which rank should run on which core",
	.usage = "[OPTIONS] RUN|MATRIX",
	.text =
	    "Finds a placement of ranks on cores in which ranks that exchange "
	    "much are near\neach other, and prints the cost before and after: "
	    "weight (bytes of a run, or\nmessages) times distance, or the "
	    "predicted time of messages.\nRUN is a run directory; MATRIX is a file "
	    "NAME.mat of Open MPI's monitoring, or a\nfile with lines "
	    "RANK,RANK,WEIGHT.  In a run of a path map, processes are placed.",
	PATHS_COMMAND_OPTIONS(place_options),
	PATHS_COMMAND_OPERANDS(place_operands),
};

static const char *const column_names[] = { "shared", "distance",
	"pairs_before", "pairs_after", "weight_before", "weight_after",
	"cost_before", "cost_after" };
#define COLUMNS (sizeof(column_names) / sizeof(*column_names))
/* With a model, for programs; the last two are without unit for people. */
static const char *const timed_names[COLUMNS] = { "shared", "locality",
	"pairs_before", "pairs_after", "bytes_before", "bytes_after",
	"time_before_ns", "time_after_ns" };
static const char *const timed_text_names[] = { "time_before", "time_after" };
#define TIMED (COLUMNS - 2)

/* Returns the name of a column. */
static const char *
report_name(const struct place *place, unsigned column)
{
	if (place->model == NULL)
		return column_names[column];
	return column >= TIMED && place->form == ES_SHOW_TEXT ?
	    timed_text_names[column - TIMED] :
	    timed_names[column];
}

/* Returns a number for a program, or text for people. */
static struct es_value
report_number(const struct place *place, double value,
    char text[PATHS_UNIT_TEXT_BYTES])
{
	return place->form == ES_SHOW_TEXT ?
	    ES_STR(paths_unit_text(PATHS_UNIT_COUNT, value, text)) :
	    ES_NUM(value);
}

/* Returns a time for people. */
static const char *
report_time(double seconds, char text[PATHS_UNIT_TEXT_BYTES])
{
	return paths_unit_text(PATHS_UNIT_TIME, es_model_ns(seconds), text);
}

/* Returns the cost of a level: a time if there is a model. */
static struct es_value
report_cost(const struct place *place, double cost,
    char text[PATHS_UNIT_TEXT_BYTES])
{
	if (place->model == NULL)
		return report_number(place, cost, text);
	return place->form == ES_SHOW_TEXT ? ES_STR(report_time(cost, text)) :
					     ES_NUM(es_model_ns(cost));
}

/* Returns the distance of a depth, or its locality if there is a model. */
static struct es_value
report_distance(const struct place *place, const struct es_place_plan *plan,
    uint32_t depth, char text[PATHS_UNIT_TEXT_BYTES])
{
	const struct es_place_cost *b = &plan->cost_before;
	const struct es_place_cost *a = &plan->cost_after;
	/* A level of which no two processes are a pair has any weight 0. */
	double weight = b->weight[depth] + a->weight[depth];
	uint32_t locality = plan->price.localities[depth];

	if (place->model != NULL)
		return locality == PATHS_NONE ?
		    ES_NIL :
		    ES_STR(place->model->localities[locality].name);
	return weight > 0 ?
	    report_number(place, (b->cost[depth] + a->cost[depth]) / weight,
		text) :
	    ES_NIL;
}

/* Adds the row of pairs that share a number of levels. */
static paths_status
report_row(const struct place *place, const struct es_place_plan *plan,
    uint32_t depth, struct es__table *table)
{
	const struct es_place_cost *b = &plan->cost_before;
	const struct es_place_cost *a = &plan->cost_after;
	size_t pairs = b->pairs[depth] + a->pairs[depth];
	char texts[5][PATHS_UNIT_TEXT_BYTES];

	if (pairs == 0)
		return PATHS_OK;
	return es__table_row(table,
	    (struct es_value[COLUMNS]){
		ES_STR(depth == 0 ? "none" : plan->slots.levels[depth - 1]),
		report_distance(place, plan, depth, texts[0]),
		ES_INT(b->pairs[depth]), ES_INT(a->pairs[depth]),
		report_number(place, b->weight[depth], texts[1]),
		report_number(place, a->weight[depth], texts[2]),
		report_cost(place, b->cost[depth], texts[3]),
		report_cost(place, a->cost[depth], texts[4]) });
}

static paths_status
report_table(const struct place *place, const struct es_place_plan *plan)
{
	struct es__table *table;
	paths_status st = es__table_open(stdout, place->form, COLUMNS, &table);

	if (st != PATHS_OK)
		return st;
	for (unsigned n = 0; st == PATHS_OK && n < COLUMNS; n++)
		st = es__table_name(table, n, report_name(place, n));
	for (uint32_t n = 0; st == PATHS_OK && n <= plan->slots.level_count;
	     n++)
		st = report_row(place, plan, n, table);
	if (st == PATHS_OK)
		return es__table_close(table);
	es__table_cancel(table);
	return st;
}

/* A count of things, as "1 pair". */
#define COUNTED(n, thing) (n), (n) == 1 ? thing : thing "s"

/* A count of what is placed, as "1 rank". */
#define UNITS(source, n) (n), es_place_unit_name((source)->unit, (n) != 1)

/* Returns whether a part of the present placement is a guess. */
static bool
report_is_assumed(const struct es_place_plan *plan)
{
	const struct es__current_notes *notes = &plan->notes;

	return !plan->before_is_known ||
	    notes->unknown + notes->wide + notes->taken > 0;
}

/* Says what is not known of the present placement.

   ran	what is placed ran on these hosts, which are not imagined */
static void
report_notes(const struct es_place_source *source,
    const struct es_place_plan *plan, bool ran)
{
	const struct es__current_notes *notes = &plan->notes;

	if (!plan->before_is_known)
		printf("The present placement is not known: %s n counts as on "
		       "core n.\n",
		    es_place_unit_name(source->unit, false));
	if (notes->unknown > 0)
		printf("The binding of %u %s was not recorded; each counts as "
		       "on the first free core of its host.\n",
		    UNITS(source, notes->unknown));
	if (notes->wide > 0)
		printf("%u %s could run on several cores; each counts as on "
		       "the first free one.\n",
		    UNITS(source, notes->wide));
	if (notes->taken > 0)
		printf("%u %s had a core that others have; each counts as on "
		       "the first free one of its host.\n",
		    UNITS(source, notes->taken));
	if (plan->moved > 0)
		printf("%u %s %s on hosts that are left out.\n",
		    UNITS(source, plan->moved),
		    ran			 ? "ran" :
			plan->moved == 1 ? "is" :
					   "are");
}

/* Says what could not be read of a run, whose traffic is not complete. */
static void
report_damage(const struct es_place_source *source, FILE *to)
{
	const struct es_diagnostic *d;

	for (size_t n = 0; source->run != NULL &&
	     (d = es_run_diagnostic(source->run, n)) != NULL;
	     n++)
		if (d->severity == ES_ERROR)
			fprintf(to, "%s: %s.\n", d->subject, d->text);
}

/* Returns the number of ranks whose slot changes. */
static uint32_t
report_moves(const struct es_place_plan *plan)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < plan->ranks; n++)
		count += plan->before[n] != plan->after[n];
	return count;
}

/* Returns the number of hosts that ranks may be placed on. */
static size_t
report_hosts(const struct es_place_plan *plan)
{
	size_t count = 0;

	for (uint32_t n = 0; n < plan->usable_count; n++)
		count += n == 0 ||
		    plan->slots.slots[plan->usable[n]].host !=
			plan->slots.slots[plan->usable[n - 1]].host;
	return count;
}

/* Says what a better placement gains. */
static void
report_gain(const struct place *place, const struct es_place_source *source,
    const struct es_place_plan *plan)
{
	double before = plan->cost_before.total, after = plan->cost_after.total;
	char texts[3][PATHS_UNIT_TEXT_BYTES];

	printf("The cost, %s times distance, is %s instead of %s%s: %s %s.  "
	       "%u %s to move.\n",
	    source->run == NULL	      ? "weight" :
		place->count.messages ? "messages" :
					"bytes",
	    paths_unit_text(PATHS_UNIT_COUNT, after, texts[0]),
	    paths_unit_text(PATHS_UNIT_COUNT, before, texts[1]),
	    report_is_assumed(plan) ? " in the assumed placement" : "",
	    paths_unit_text(PATHS_UNIT_SHARE,
		(after < before ? before - after : after - before) / before,
		texts[2]),
	    after <= before ? "less" : "more",
	    UNITS(source, report_moves(plan)));
}

/* Says what messages take by the model, before and after. */
static void
report_times(const struct place *place, const struct es_place_source *source,
    const struct es_place_plan *plan)
{
	double before = plan->cost_before.total, after = plan->cost_after.total;
	char texts[5][PATHS_UNIT_TEXT_BYTES];

	printf("By the model, all messages together take %s instead of %s%s: "
	       "%s %s; those of the rank with the highest cost take %s instead "
	       "of %s.  %u %s to move.\n",
	    report_time(after, texts[0]), report_time(before, texts[1]),
	    report_is_assumed(plan) ? " in the assumed placement" : "",
	    paths_unit_text(PATHS_UNIT_SHARE,
		(after < before ? before - after : after - before) / before,
		texts[2]),
	    after <= before ? "less" : "more",
	    report_time(plan->slowest_after_s, texts[3]),
	    report_time(plan->slowest_before_s, texts[4]),
	    UNITS(source, report_moves(plan)));
	printf("This is the time of point-to-point communication%s, not that "
	       "of the run.\n",
	    place->count.collectives == ES_PLACE_NONE ?
		"" :
		" and of collectives as such messages");
}

/* Prints a reason why the model may not be that of the run. */
static void
report_doubt(void *to, const char *text)
{
	(void)to;
	printf("Warning: %s.\n", text);
}

static void
report_sentences(const struct place *place,
    const struct es_place_source *source, const struct es_place_plan *plan)
{
	char text[PATHS_UNIT_TEXT_BYTES];

	printf("%u %s, with traffic between %zu %s, and %u %s on %zu %s.\n",
	    UNITS(source, plan->ranks),
	    COUNTED(es_traffic_pairs(source->traffic), "pair"),
	    COUNTED(plan->usable_count, "slot"),
	    COUNTED(report_hosts(plan), "host"));
	report_damage(source, stdout);
	report_notes(source, plan,
	    source->run != NULL && place->asked.machine == NULL);
	if (source->elsewhere > 0)
		printf("Traffic of %s with other processes is left out.\n",
		    paths_unit_text(PATHS_UNIT_COUNT, source->elsewhere, text));
	if (source->run != NULL && es_traffic_pairs(source->traffic) == 0)
		printf("The run has no traffic between different %s, or did "
		       "not record it: mode matrix does.\n",
		    es_place_unit_name(source->unit, true));
	if (place->model != NULL)
		es_model_run_doubts(source->run, place->model, report_doubt,
		    NULL);
	if (plan->cost_before.total == 0)
		puts("No traffic has a distance: any placement is as good.");
	else if (!plan->result.improved && plan->moved == 0)
		printf("The %s placement is as good as any that was found.\n",
		    report_is_assumed(plan) ? "assumed" : "present");
	else if (place->model == NULL)
		report_gain(place, source, plan);
	else
		report_times(place, source, plan);
	if (place->format == ES__RANKFILE_NONE)
		printf("--format %s shows which %s goes where.\n",
		    source->unit == ES_PLACE_RANK ? "table" : "moves",
		    es_place_unit_name(source->unit, false));
	if (!plan->result.repeatable)
		puts("Another call may find another placement, because it was "
		     "limited by time.");
	putchar('\n');
}

/* Writes text to a file; NULL: to standard output. */
static paths_status
place_save(const char *file, const char *text, size_t bytes)
{
	FILE *to = file == NULL ? stdout : fopen(file, "we");
	bool saved;

	if (to == NULL)
		return paths_log_fail(PATHS_EIO, "%s: %s", file,
		    strerror(errno));
	saved = fwrite(text, 1, bytes, to) == bytes;
	if ((file == NULL ? fflush(to) : fclose(to)) == 0 && saved)
		return PATHS_OK;
	return paths_log_fail(errno == ENOSPC ? PATHS_EFULL : PATHS_EIO,
	    "%s: %s", file == NULL ? "standard output" : file, strerror(errno));
}

/* Writes the rank file.  A file that is there stays as it is if the launcher
   cannot be told the placement. */
static paths_status
place_write(const struct place *place, const struct es_place_source *source,
    const struct es_place_plan *plan)
{
	const struct es__ranks ranks = { .slots = &plan->slots,
		.at = plan->after,
		.before = plan->before,
		.count = plan->ranks,
		.pus = place->asked.pus,
		.several = place->asked.per_core > 1 };
	char *text = NULL;
	size_t bytes = 0;
	FILE *to = open_memstream(&text, &bytes);
	paths_status st;

	if (to == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for ranks");
	st = place->format == ES__RANKFILE_MOVES ?
	    es_place_moves_write(source, plan, ES_PLACE_MOVES_CHANGES, to) :
	    es__rankfile_write(place->format, &ranks, to);
	if (fclose(to) != 0 && st == PATHS_OK)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for ranks");
	if (st == PATHS_OK)
		st = place_save(place->output, text, bytes);
	free(text);
	return st;
}

/* Keeps the moves for eventspace map, which changes the map. */
static paths_status
place_keep_moves(struct place *place, const struct es_place_source *source,
    const struct es_place_plan *plan)
{
	paths_status st;

	place->kept = tmpfile();
	if (place->kept == NULL)
		return paths_log_fail(PATHS_EIO, "a temporary file: %s",
		    strerror(errno));
	st = es_place_moves_write(source, plan,
	    place->map == NULL ? ES_PLACE_MOVES_RUN : ES_PLACE_MOVES_ALL,
	    place->kept);
	if (st == PATHS_OK &&
	    (fflush(place->kept) != 0 || ferror(place->kept) != 0))
		st = paths_log_fail(PATHS_EIO, "a temporary file: %s",
		    strerror(errno));
	return st;
}

/* Returns the exit status when eventspace map cannot be executed. */
static int
place_change_map(const struct place *place)
{
	char file[PATH_MAX];
	const char *output = place->output == NULL ? "-" : place->output;
	/* exec takes words that are not const. */
	char *words[] = { NULL, (char[]){ "place" }, NULL, (char[]){ "-" },
		(char[]){ "-o" }, strdup(output), NULL };

	if (place->map == NULL)
		snprintf(file, sizeof(file), "%s/map", place->name);
	else
		snprintf(file, sizeof(file), "%s", place->map);
	words[2] = file;
	rewind(place->kept);
	if (words[5] == NULL || fflush(stdout) != 0 ||
	    dup2(fileno(place->kept), STDIN_FILENO) < 0)
		return paths_command_fail("place", "%s", strerror(errno));
	return paths_verb_become("place", "map", words);
}

static paths_status
place_result(struct place *place, const struct es_place_source *source,
    const struct es_place_plan *plan)
{
	bool instead =
	    place->format != ES__RANKFILE_NONE && place->output == NULL;
	paths_status st = PATHS_OK;

	if (!instead && !place->command.quiet) {
		if (place->form == ES_SHOW_TEXT)
			report_sentences(place, source, plan);
		st = report_table(place, plan);
	} else if (!place->command.quiet)
		report_damage(source, stderr);
	if (st == PATHS_OK && place->format == ES__RANKFILE_MAP)
		return place_keep_moves(place, source, plan);
	return st == PATHS_OK && place->format != ES__RANKFILE_NONE ?
	    place_write(place, source, plan) :
	    st;
}

static paths_status
place_run(struct place *place)
{
	struct es_place_source source;
	struct es_place_plan plan = { 0 };
	paths_status st =
	    es_place_source_open(place->name, &place->count, &source);

	if (st == PATHS_OK && place->with != NULL)
		st = es_command_model_read(place->with, &place->model);
	place->asked.model = place->model;
	if (st == PATHS_OK)
		st = es_place_plan_open(&place->asked, &source, &plan);
	if (st == PATHS_OK)
		st = place_result(place, &source, &plan);
	es_place_plan_close(&plan);
	es_place_source_close(&source);
	es_model_free(place->model);
	return st;
}

/* Refuses options that do not go together. */
static int
place_check(const struct place *place)
{
	bool of_map = place->format == ES__RANKFILE_MAP ||
	    place->format == ES__RANKFILE_MOVES ||
	    place->format == ES__RANKFILE_TABLE;

	if (place->output != NULL && place->format == ES__RANKFILE_NONE)
		return paths_command_wrong("place",
		    "--output: --format is missing");
	if (place->map != NULL && place->format != ES__RANKFILE_MAP)
		return paths_command_wrong("place",
		    "--map: --format map is missing");
	if (place->count.threads && !of_map &&
	    place->format != ES__RANKFILE_NONE)
		return paths_command_wrong("place",
		    "--threads: expected --format map, moves or table");
	if (place->with != NULL && place->weight_given)
		return paths_command_wrong("place",
		    "--weight: with --with, costs are times");
	if (place->with != NULL && place->asked.links != NULL)
		return paths_command_wrong("place",
		    "--links: with --with, costs are times");
	return PATHS_COMMAND_GO_ON;
}

int
main(int argc, char **argv)
{
	struct place place = { .form = ES_SHOW_TEXT,
		.asked.per_core = 1,
		.command.verb = "place" };
	int status = paths_command_read(&place_command, &place, argc, argv);

	if (status == PATHS_COMMAND_GO_ON)
		status = es_command_plugins(&place.command);
	if (status != PATHS_COMMAND_GO_ON)
		return status;
	status = place_check(&place);
	if (status != PATHS_COMMAND_GO_ON)
		return status;
	place.count.sizes = place.with != NULL;
	if (place.with != NULL && !place.collectives_given)
		place.count.collectives = ES_PLACE_NONE;
	place.asked.renumber = place.format == ES__RANKFILE_SPLIT;
	place.asked.options = (struct es_place_options){ .seed = place.seed,
		.moves = place.moves,
		.seconds = (double)place.time_ns / 1e9 };
	if (place_run(&place) != PATHS_OK)
		return es_command_fail(&place.command);
	return place.kept == NULL ? PATHS_COMMAND_DONE :
				    place_change_map(&place);
}
