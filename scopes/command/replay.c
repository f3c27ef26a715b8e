/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/replay.c - opens a run to predict it
 */

#include "scopes/command/replay.h"

#include "scopes/command/store.h"
#include "scopes/finding.h"
#include "scopes/rows.h"

#include "libpaths/base/array.h"
#include "libpaths/base/utf8.h"
#include "libpaths/log.h"
#include "libpaths/unit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A smaller drift would be printed as 0 %. */
#define REPLAY_SAME 0.00005

/* Time without a core that stays is told above this share of the run. */
#define REPLAY_UNDATED 0.01

/* Places that are named, at most. */
#define REPLAY_PLACES 5

static const char *
replay_place(void *from, uint32_t site)
{
	const struct es_command_replay *replay = from;

	return site < replay->place_count ? replay->places[site] : NULL;
}

static paths_status
replay_add(struct es_command_replay *replay, int64_t site, const char *name)
{
	if (site < 0 || site > INT32_MAX ||
	    !paths__array_reserve(&replay->places, (size_t)site + 1,
		&replay->place_room, sizeof(char *)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for names");
	while (replay->place_count <= (size_t)site)
		replay->places[replay->place_count++] = NULL;
	/* Names are printed, and come from the program. */
	replay->places[site] = paths_utf8_plain(strdup(name), "");
	return replay->places[site] != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for names");
}

/* Reads the names of call sites.  A run of paths has none. */
static paths_status
replay_places(struct es_command_replay *replay, struct es_store *store)
{
	const struct es_view *view = es_view_find("mpi_site");
	struct es_rows *rows;
	paths_status st = es_rows_try(store, view->tables[0].names, &rows);

	while (st == PATHS_OK && rows != NULL) {
		struct es_value site, name;

		st = es_rows_next(rows);
		if (st != PATHS_OK)
			break;
		es_rows_get(rows, 0, &site);
		es_rows_get(rows, 1, &name);
		if (site.kind == ES_INTEGER && name.kind == ES_TEXT)
			st = replay_add(replay, site.as.integer, name.as.text);
	}
	es_rows_close(rows);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

/* Adds lines about an end of the run that went wrong. */
static paths_status
replay_end(void *to, const struct es_finding *finding)
{
	struct es_command_replay *replay = to;
	size_t used = replay->ends == NULL ? 0 : strlen(replay->ends);
	size_t bytes = strlen(finding->text);
	char *ends = realloc(replay->ends, used + bytes + 2);

	if (ends == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for findings");
	memcpy(&ends[used], finding->text, bytes);
	memcpy(&ends[used + bytes], "\n", 2);
	replay->ends = ends;
	return PATHS_OK;
}

/* Takes the sentence about waiting that the graph lacks. */
static paths_status
replay_lack(void *to, const struct es_finding *finding)
{
	struct es_command_replay *replay = to;

	/* Others of these tables have a subject. */
	if (finding->kind[0] != '\0' || replay->lack != NULL)
		return PATHS_OK;
	replay->lack = strdup(finding->text);
	return replay->lack != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for findings");
}

static paths_status
replay_lacks(struct es_command_replay *replay, struct es_store *store)
{
	paths_status st =
	    es_finding_each(store, "root_cause", replay_lack, replay);

	replay->lacks_most = replay->lack != NULL;
	return st == PATHS_OK ?
	    es_finding_each(store, "wait_chain", replay_lack, replay) :
	    st;
}

paths_status
es_command_replay_open(const struct es_command *command,
    struct es_command_replay *replay)
{
	struct es_store *store;
	struct stat about;
	paths_status st;

	if (stat(replay->name, &about) == 0 && S_ISREG(about.st_mode))
		return paths_log_fail(PATHS_EINVAL,
		    "%s: not a run directory; a view.db has no events to "
		    "replay",
		    replay->name);
	st = es_command_store(command, replay->name, &store);
	if (st != PATHS_OK)
		return st;
	st = replay_places(replay, store);
	if (st == PATHS_OK)
		st = es_overload_read(store, &replay->overload);
	if (st == PATHS_OK)
		st = es_finding_ends(store, replay_end, replay);
	if (st == PATHS_OK)
		st = replay_lacks(replay, store);
	es_store_close(store);
	if (st == PATHS_OK)
		st = es_run_open(replay->name, &replay->run);
	if (st == PATHS_OK)
		st = es_analysis_open(replay->run, 0, replay->clock,
		    &replay->analysis);
	return st == PATHS_OK ? es_whatif_open(replay->analysis, replay_place,
				    replay, &replay->whatif) :
				st;
}

void
es_command_replay_close(struct es_command_replay *replay)
{
	es_whatif_close(replay->whatif);
	es_analysis_close(replay->analysis);
	es_run_close(replay->run);
	for (size_t n = 0; n < replay->place_count; n++)
		free(replay->places[n]);
	free(replay->places);
	free(replay->ends);
	free(replay->lack);
	es_overload_fini(&replay->overload);
}

/* Prints how long the replay without a change takes, and how far it is off. */
static void
replay_lengths(const struct es_whatif_account *a, FILE *out)
{
	const char *who = a->paths ? "thread" : "rank";
	char texts[3][PATHS_UNIT_TEXT_BYTES];
	const char *replayed =
	    paths_unit_text(PATHS_UNIT_TIME, a->replayed_ns, texts[0]);
	const char *measured =
	    paths_unit_text(PATHS_UNIT_TIME, a->measured_ns, texts[1]);

	if (a->drift < REPLAY_SAME) {
		fprintf(out,
		    "Replayed without a change, the run takes %s, and the ends "
		    "of %ss are as measured.\n",
		    replayed, who);
		return;
	}
	fprintf(out,
	    "Replayed without a change, the run takes %s; %s were measured.  ",
	    replayed, measured);
	fprintf(out,
	    "The ends of %ss are off by %s of the run at most (%s %" PRIu32
	    ").\n",
	    who, paths_unit_text(PATHS_UNIT_SHARE, a->thread_drift, texts[2]),
	    who, a->drift_rank);
}

/* Prints that the machine was overloaded, and what that means for replays. */
static void
replay_cores(const struct es_command_replay *replay, FILE *out)
{
	const struct es_whatif_account *a = es_whatif_account(replay->whatif);
	char texts[2][PATHS_UNIT_TEXT_BYTES];

	if (replay->overload.load != NULL)
		fprintf(out, "%s%s", replay->overload.load,
		    a->leaves_out ? "\n" :
				    "  Computing is elapsed time, and includes "
				    "time without a core.\n");
	if (!a->leaves_out)
		return;
	fprintf(out,
	    "What follows leaves out time without a core, %s of all %ss "
	    "together: without it, the run takes %s.\n",
	    paths_unit_text(PATHS_UNIT_TIME, a->left_out_ns, texts[0]),
	    a->paths ? "thread" : "rank",
	    paths_unit_text(PATHS_UNIT_TIME, a->unchanged_ns, texts[1]));
	if (a->undated_ns > REPLAY_UNDATED * a->unchanged_ns)
		fprintf(out,
		    "Another %s without a core stays, because it is not known "
		    "when it was.\n",
		    paths_unit_text(PATHS_UNIT_TIME, a->undated_ns, texts[0]));
}

bool
es_command_replay_drift(const struct es_command_replay *replay, FILE *out)
{
	const struct es_whatif_account *a = es_whatif_account(replay->whatif);
	char texts[2][PATHS_UNIT_TEXT_BYTES];

	if (replay->ends != NULL)
		fprintf(out,
		    "%sThe run did not end by itself: what follows is about "
		    "the part until then.\n\n",
		    replay->ends);
	replay_lengths(a, out);
	replay_cores(replay, out);
	if (a->contradictions > 0)
		fprintf(out,
		    "%" PRIu64 " of %" PRIu64 " operations end before "
		    "something that they wait for.\n",
		    a->contradictions, a->operations);
	if (a->unknown > 0)
		fprintf(out,
		    "%" PRIu64 " of %" PRIu64 " operations may have waited "
		    "for something that is not known.\n",
		    a->unknown, a->operations);
	if (replay->lack != NULL)
		fprintf(out, "%s\n", replay->lack);
	if (a->ranks_missing > 0)
		fprintf(out,
		    "%" PRIu32 " rank%s left no trace: waiting for %s counts "
		    "as time of calls.\n",
		    a->ranks_missing, a->ranks_missing == 1 ? "" : "s",
		    a->ranks_missing == 1 ? "it" : "them");
	/* The peers of a rank may not have been recorded. */
	else if (!a->paths && a->messages == 0 && a->collectives == 0)
		fputs("No message and no collective is known at both ends: "
		      "waiting cannot be told from the time of calls.\n",
		    out);
	if (a->cycles > 0)
		fprintf(out, "%" PRIu64 " dependences were left out.\n",
		    a->cycles);
	if (a->drift <= ES_WHATIF_DRIFT)
		return true;
	fprintf(out, "The drift is %s, over %s: nothing is predicted.\n",
	    paths_unit_text(PATHS_UNIT_SHARE, a->drift, texts[0]),
	    paths_unit_text(PATHS_UNIT_SHARE, ES_WHATIF_DRIFT, texts[1]));
	return false;
}

void
es_command_replay_frozen(const struct es_command_replay *replay, FILE *out)
{
	const struct es_whatif_account *a = es_whatif_account(replay->whatif);
	const struct es_whatif_choices *all = &a->choices,
				       *path = &a->path_choices;

	if (all->either > 0)
		fprintf(out, "Which %s is taken stays as it was: ",
		    a->paths ? "tuple" : "message or lock");
	if (all->any > 0)
		fprintf(out, "%" PRIu64 " of %" PRIu64 " %s", path->any,
		    all->any,
		    a->paths ? "operations on elements that several threads "
			       "write, or take tuples from in turns," :
			       "receives of any source");
	if (all->first > 0)
		fprintf(out,
		    "%s%" PRIu64 " of %" PRIu64
		    " calls whose answer depends on what comes first",
		    all->any > 0 ? " and " : "", path->first, all->first);
	if (all->either > 0)
		fprintf(out, " lie on the critical path.%s\n",
		    path->either > 0 ?
			"  A change may gain more, or less, than told, because "
			"a run would take what is there first:" :
			"");
	for (size_t n = 0; n < a->frozen_count && n < REPLAY_PLACES &&
	     a->frozen[n].path.either > 0;
	     n++)
		fprintf(out, "    %s: %" PRIu64 " of %" PRIu64 "\n",
		    a->frozen[n].name, a->frozen[n].path.either,
		    a->frozen[n].all.either);
	if (a->sources_unknown > 0)
		fprintf(out,
		    "It is not known which of %" PRIu64
		    " receives and probes were of any source: the run was "
		    "recorded by an older version.\n",
		    a->sources_unknown);
}
