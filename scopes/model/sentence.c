/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/sentence.c - tells which messages are compared with a model
 *
 * The table cost_model has the same words (cost_model_reading).
 */

#include "scopes/model_run.h"

#include "libpaths/unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* A text that grows. */
struct sentence {
	char *text;
	size_t used;
};

static void say(struct sentence *s, const char *fmt, ...) PATHS_PRINTF(2, 3);

static void
say(struct sentence *s, const char *fmt, ...)
{
	va_list args;
	int length;

	va_start(args, fmt);
	length = vsnprintf(s->text + s->used, ES_MODEL_RUN_BYTES - s->used, fmt,
	    args);
	va_end(args);
	s->used += (size_t)length;
	if (s->used >= ES_MODEL_RUN_BYTES)
		s->used = ES_MODEL_RUN_BYTES - 1;
}

/* Tells the model, and the messages. */
static void
say_messages(struct sentence *s, const struct es_model_run *run,
    const struct es_model *model)
{
	say(s,
	    "%" PRIu64 " messages, %" PRIu64
	    " of them between hosts, are compared with the model",
	    run->messages, run->between_hosts);
	if (model->machine[0] != 0)
		say(s, " of %s", model->machine);
	if (model->date[0] != 0)
		say(s, ", measured %s", model->date);
}

/* Tells what the times are summed of. */
static void
say_times(struct sentence *s, const struct es_model_run *run)
{
	char texts[3][PATHS_UNIT_TEXT_BYTES];

	say(s,
	    ".  %" PRIu64
	    " calls for them take %s, summed over all ranks, %s of it before "
	    "late senders and %s before late receivers.",
	    run->calls,
	    paths_unit_text(PATHS_UNIT_TIME, es_model_ns(run->measured_s),
		texts[0]),
	    paths_unit_text(PATHS_UNIT_TIME, es_model_ns(run->late_s),
		texts[1]),
	    paths_unit_text(PATHS_UNIT_TIME, es_model_ns(run->late_receiver_s),
		texts[2]));
}

const char *
es_model_run_text(const struct es_model_run *run, const struct es_model *model,
    char text[ES_MODEL_RUN_BYTES])
{
	struct sentence s = { text, 0 };

	say_messages(&s, run, model);
	if (run->unmatched > 0)
		say(&s,
		    "; %" PRIu64
		    " receives are not matched, or have not ended, "
		    "and are left out",
		    run->unmatched);
	say_times(&s, run);
	if (run->misplaced > 0)
		say(&s,
		    "  The model has no locality for %" PRIu64
		    " of them, which cost as those of its last one.",
		    run->misplaced);
	if (run->discarded > 0)
		say(&s,
		    "  %" PRIu64 " tuples of calls were discarded; their "
		    "messages are left out.",
		    run->discarded);
	return text;
}
