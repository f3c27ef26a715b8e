/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/space.c - gives the collectors of a run the tuples of an event
 * space
 *
 * Tuples of a process that has ended are used in place.  Those of a process
 * that records, or may do so on another host, are copied, so that all views
 * read the same tuples.
 *
 * A server may keep the space of a process that was killed, and the newest
 * tuples be in the buffer of the process alone.  They are then added to a copy.
 */

#include "scopes/run/space_private.h"

#include "collectors/space_format.h"
#include "libpaths/log.h"
#include "scopes/job.h"
#include "scopes/run/alive_private.h"
#include "scopes/run/mapless_private.h"
#include "scopes/run/run_private.h"
#include "scopes/run/space_file_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Up to one tuple in so many may lack a checksum without a diagnostic. */
#define SPACE_UNCHECKED_SHARE 10u

/* Uses the tuples in place. */
static paths_status
space_show(struct es_collector *collector, const struct es_space *space)
{
	struct es_space_span spans[2];
	paths_status st = es_space_span(space, collector->entry, spans);

	if (st != PATHS_OK)
		return st;
	collector->older = spans[0].tuples;
	collector->older_count = spans[0].count;
	collector->newer = spans[1].tuples;
	collector->count = spans[0].count + spans[1].count;
	collector->first = spans[0].count ? spans[0].first : spans[1].first;
	return PATHS_OK;
}

/* Copies the tuples, because a live process overwrites them. */
static paths_status
space_copy(struct es_collector *collector, const struct es_space *space,
    const struct es_space_collector *now, void **copy)
{
	struct es_space_run part = { .first = now->first,
		.count = now->count - now->first };
	paths_status st;

	*copy = malloc(part.count * now->type->bytes + 1);
	if (*copy == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory to copy %llu tuples",
		    (unsigned long long)part.count);
	st = es_space_read(space, collector->entry, &part, *copy);
	if (st != PATHS_OK)
		return st;
	collector->older = *copy;
	collector->older_count = part.count;
	collector->newer = NULL;
	collector->count = part.count;
	collector->first = part.first;
	return PATHS_OK;
}

/* --- buffers ------------------------------------------------------------- */

/* Returns true for a buffer of the process whose space is kept. */
static bool
buffer_fits(const struct es_space_info *buffer,
    const struct es_space_info *kept)
{
	return buffer->pid == kept->pid &&
	    buffer->start.ticks == kept->start.ticks &&
	    buffer->process == kept->process &&
	    buffer->collector_count == kept->collector_count &&
	    strcmp(buffer->host_name, kept->host_name) == 0 &&
	    (buffer->closed || es__alive(buffer) != ES__ALIVE_YES);
}

/* Opens the buffer of a process whose space is kept by a server and was not
   closed, if it is in the run and the process has ended.  NULL: there is none.
   A job has none, because not all ranks can read it. */
static struct es_space *
buffer_open(const struct es_run *run, uint32_t process,
    const struct es_space_info *kept)
{
	struct es_space *buffer = NULL;
	struct es_space_info info;
	char *file;

	if (run->mapless != NULL || !kept->kept || kept->closed ||
	    kept->left_out > 0 || es_job_size() > 1 ||
	    asprintf(&file, "%s/%s" ES_SPACE_BUFFER, run->dir,
		run->map->processes[process].name) < 0)
		return NULL;
	if (access(file, F_OK) == 0 && es_space_open(file, &buffer) == PATHS_OK)
		es_space_info(buffer, &info);
	free(file);
	if (buffer == NULL || buffer_fits(&info, kept))
		return buffer;
	es_space_close(buffer);
	return NULL;
}

/* Copies the tuples of a collector from a number on. */
static void
buffer_copy_kept(const struct es_collector *collector, uint64_t first,
    uint8_t *to)
{
	const uint64_t bytes = collector->type->bytes;
	const uint64_t skip = first - collector->first;
	const uint64_t older = collector->older_count;
	const uint64_t newer = collector->count - older;
	const uint8_t *at = collector->older;

	if (skip < older) {
		memcpy(to, at + skip * bytes, (older - skip) * bytes);
		to += (older - skip) * bytes;
	}
	if (newer > 0) {
		const uint64_t left = skip > older ? skip - older : 0;

		at = collector->newer;
		memcpy(to, at + left * bytes, (newer - left) * bytes);
	}
}

/* Adds the tuples of a buffer that the kept space lacks to a collector, whose
   kept state is `now`.  Like the server, it forgets the tuples before others
   that nobody has.  added: raised by their number */
static paths_status
buffer_join(struct es_collector *collector, struct es_space_collector *now,
    const struct es_space *buffer, void **copy, uint64_t *added)
{
	const uint64_t bytes = now->type->bytes;
	const uint64_t next = collector->first + collector->count;
	struct es_space_collector fresh;
	struct es_space_run part;
	uint64_t kept = 0, first;
	uint8_t *tuples;
	paths_status st = es_space_collector(buffer, collector->entry, &fresh);

	if (st != PATHS_OK || fresh.instance != now->instance ||
	    fresh.type->bytes != bytes || fresh.count < next ||
	    (fresh.count == next && fresh.reset == now->reset))
		return PATHS_OK;
	first = fresh.reset > collector->first ? fresh.reset : collector->first;
	part.first = fresh.first > next ? fresh.first : next;
	part.count = fresh.count - part.first;
	if (first < next)
		kept = next - first;
	tuples = malloc((kept + part.count) * bytes + 1);
	if (tuples == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a buffer");
	st = es_space_read(buffer, collector->entry, &part,
	    tuples + kept * bytes);
	if (st != PATHS_OK || (part.count == 0 && fresh.reset == now->reset)) {
		free(tuples);
		return st;
	}
	if (kept > 0 && (part.count == 0 || part.first == next)) {
		buffer_copy_kept(collector, first, tuples);
	} else {
		memmove(tuples, tuples + kept * bytes, part.count * bytes);
		first = part.first;
		kept = now->left_out = 0;
	}
	free(*copy);
	*copy = tuples;
	collector->older = tuples;
	collector->older_count = collector->count = kept + part.count;
	collector->newer = NULL;
	collector->first = first;
	now->reset = fresh.reset;
	*added += part.count;
	return PATHS_OK;
}

/* --- collectors ---------------------------------------------------------- */

/* A space that is taken. */
struct space_taking {
	struct es_space *space;
	struct es_space *buffer; /* NULL: none */
	bool copy;		 /* it may change */
	uint64_t added;		 /* tuples of the buffer */
};

/* Returns the collector of the run for an entry of a space, or PATHS_NONE. */
static uint32_t
space_find_collector(const struct es_run *run, uint32_t process,
    uint32_t number, const struct es_space_collector *entry)
{
	uint32_t id = PATHS_NONE;

	if (run->mapless != NULL)
		return es__mapless_collector(&run->mapless[process],
		    run->mapless[process].other ? number : entry->owner);
	if (entry->instance < run->map->instance_count)
		id = run->by_stage[entry->instance];
	return id != PATHS_NONE && run->collectors[id].process == process ?
	    id :
	    PATHS_NONE;
}

static paths_status
space_take_collector(struct es_run *run, uint32_t process,
    struct space_taking *taking, uint32_t entry)
{
	struct es_space_collector now;
	struct es_collector *collector;
	uint32_t id;
	paths_status st = es_space_collector(taking->space, entry, &now);

	if (st != PATHS_OK)
		return st;
	id = space_find_collector(run, process, entry, &now);
	if (id == PATHS_NONE)
		return paths_log_fail(PATHS_EDAMAGED,
		    "its collector %u is stage %u, which is no collector of "
		    "this process",
		    entry, now.instance);
	collector = &run->collectors[id];
	if (collector->entry != PATHS_NONE)
		return paths_log_fail(PATHS_EDAMAGED,
		    "two of its collectors are stage %u", now.instance);
	collector->entry = entry;
	collector->type = now.type;
	st = taking->copy ?
	    space_copy(collector, taking->space, &now, &run->copies[id]) :
	    space_show(collector, taking->space);
	if (st == PATHS_OK && taking->buffer != NULL)
		st = buffer_join(collector, &now, taking->buffer,
		    &run->copies[id], &taking->added);
	if (st == PATHS_OK && collector->first - now.reset >= now.left_out)
		collector->discarded =
		    collector->first - now.reset - now.left_out;
	return st;
}

/* Removes the tuples of a space that is refused from its collectors. */
static void
space_drop(struct es_run *run, uint32_t process)
{
	for (uint32_t c = 0; c < run->collector_count; c++) {
		struct es_collector *collector = &run->collectors[c];

		if (collector->process != process)
			continue;
		free(run->copies[c]);
		run->copies[c] = NULL;
		collector->entry = PATHS_NONE;
		collector->type = NULL;
		collector->count = collector->discarded = 0;
	}
}

static bool
space_fits(const struct es_run *run, uint32_t process,
    const struct es_space_info *info)
{
	if (run->mapless != NULL)
		return run->mapless[process].other ||
		    info->process == ES_SPACE_MAPLESS;
	return info->process == process &&
	    info->map_bytes == run->map->text_bytes &&
	    memcmp(info->map_text, run->map->text, info->map_bytes) == 0;
}

/* Returns false when stages of unknown kinds hide collectors, so that their
   numbers in the map are not those of the space. */
static bool
space_counts(const struct es_run *run, uint32_t process,
    const struct es_space_info *info)
{
	uint32_t count = 0;

	if (run->mapless != NULL || run->map->unknown_count == 0)
		return true;
	for (uint32_t c = 0; c < run->collector_count; c++)
		count += run->collectors[c].process == process;
	return count == info->collector_count;
}

/* Reports that damage to tuples without a checksum may go unnoticed.  Those of
   a live process get theirs later.  The text has no count, so that the page has
   one line for processes alike. */
static void
space_diagnose_unchecked(struct es_run *run, uint32_t process,
    const struct es_space_info *info)
{
	if (info->version == 2)
		es_run_diagnose(run, ES_NOTE, "run",
		    "its event spaces have format 2, without checksums: damage "
		    "may go unnoticed");
	else if (run->states[process] != ES__SPACE_LIVE &&
	    info->unchecked > info->tuples / SPACE_UNCHECKED_SHARE)
		es_run_diagnose(run, ES_NOTE, run->map->processes[process].name,
		    "%.0f %% of its tuples have no checksum, because the "
		    "process did not end its recording: damage to them may go "
		    "unnoticed",
		    100.0 * (double)info->unchecked / (double)info->tuples);
}

/* Reports what a copy lacks.  Returns true if it explains that the process is
   not known to be alive. */
static bool
space_diagnose_copy(struct es_run *run, const char *subject,
    const struct es_space_info *info, enum es__alive alive)
{
	if (info->left_out > 0)
		es_run_diagnose(run, ES_NOTE, subject,
		    "the gather tree left out %" PRIu64 " of its tuples",
		    info->left_out);
	if (alive != ES__ALIVE_UNKNOWN || info->copy == ES_COPY_NONE)
		return false;
	if (info->copy == ES_COPY_TAKEN)
		es_run_diagnose(run, ES_NOTE, subject,
		    "a copy of its event space, made while it recorded");
	else
		es_run_diagnose(run, ES_WARNING, subject,
		    "not heard of for %.0f s (host %s): the newest tuples are "
		    "missing",
		    (double)es__alive_silence_ns(info) * 1e-9, info->host_name);
	return true;
}

/* Reports the tuples that are in a buffer only.  Returns the state of the
   process. */
static enum es__space_state
space_diagnose_buffer(struct es_run *run, uint32_t process,
    const struct space_taking *taking)
{
	const char *name = run->map->processes[process].name;
	struct es_space_info info;

	es_space_info(taking->buffer, &info);
	if (taking->added > 0)
		es_run_diagnose(run, ES_NOTE, name,
		    "its newest %" PRIu64
		    " tuples are those of %s" ES_SPACE_BUFFER
		    ": its server did not get them",
		    taking->added, name);
	return info.closed ? ES__SPACE_CLOSED : ES__SPACE_KILLED;
}

static void
space_diagnose(struct es_run *run, uint32_t process, enum es__alive alive)
{
	const char *subject = run->map->processes[process].name;
	struct es_space_info info;
	const char *text;

	es_space_info(run->spaces[process], &info);
	if (space_diagnose_copy(run, subject, &info, alive))
		;
	else if (run->states[process] == ES__SPACE_KILLED &&
	    alive == ES__ALIVE_UNKNOWN)
		es_run_diagnose(run, ES_WARNING, subject,
		    "the process did not close its event space, and ran on "
		    "another host (%s) or before this host was started: taken "
		    "as ended",
		    info.host_name);
	else if (run->states[process] == ES__SPACE_KILLED)
		es_run_diagnose(run, ES_WARNING, subject,
		    "the process ended without closing its event space");
	space_diagnose_unchecked(run, process, &info);
	for (uint32_t n = 0;
	     (text = es_space_damage(run->spaces[process], n)) != NULL; n++)
		es_run_diagnose(run, ES_WARNING, subject, "%s", text);
}

paths_status
es__space_take(struct es_run *run, uint32_t process, struct es_space *space)
{
	enum es__space_state state = ES__SPACE_CLOSED;
	enum es__alive alive = es__space_file_alive(space);
	struct es_space_info info;
	/* A job copies none: it refuses those that may change, here or, if the
	   process is alive, with the whole run. */
	struct space_taking taking = {
		.space = space,
		.copy = alive != ES__ALIVE_NO && es_job_size() == 1,
	};
	paths_status st = PATHS_OK;

	es_space_info(space, &info);
	if (!space_fits(run, process, &info))
		return paths_log_fail(PATHS_EDAMAGED,
		    "it was written with another map");
	if (es_job_size() > 1 && alive == ES__ALIVE_UNKNOWN &&
	    info.copy != ES_COPY_TAKEN)
		return paths_log_fail(PATHS_EBUSY,
		    "the process did not close it, and ran on another host "
		    "(%s) or before this host was started: a job cannot tell "
		    "that it has ended; a single process reads what is there",
		    info.host_name);
	if (!info.closed)
		state =
		    alive == ES__ALIVE_YES ? ES__SPACE_LIVE : ES__SPACE_KILLED;
	if (!space_counts(run, process, &info))
		return paths_log_fail(PATHS_EDAMAGED,
		    "it has %u collectors, and the map has others in stages of "
		    "a kind that is unknown",
		    info.collector_count);
	taking.buffer = buffer_open(run, process, &info);
	for (uint32_t n = 0; st == PATHS_OK && n < info.collector_count; n++)
		st = space_take_collector(run, process, &taking, n);
	if (taking.buffer != NULL) {
		alive = ES__ALIVE_NO;
		state = space_diagnose_buffer(run, process, &taking);
	}
	es_space_close(taking.buffer);
	if (st != PATHS_OK) {
		space_drop(run, process);
		return st;
	}
	run->spaces[process] = space;
	run->states[process] = state;
	space_diagnose(run, process, alive);
	return PATHS_OK;
}
