/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/fill.c - the iterations of a thread, in bins
 *
 * The loops are followed by symbols, which are read some thousands at a time. A
 * second reader keeps up with the events at which iterations begin and end, and
 * has their times.
 */

#include "scopes/phase/fill_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

/* An iteration that is under way. */
struct open {
	bool is;
	uint64_t number, event;
	uint64_t start;
	uint64_t ticks; /* in operations before it */
};

struct fill {
	struct es__phase_to to;
	struct es__phase_reader *times;
	const struct es__phase_detection *detection;
	const struct es__phase_target *targets;
	struct open *opens; /* of each loop that was found */
	bool failed;
	/* The event that was read last. */
	uint64_t event;	 /* + 1; 0: none */
	uint64_t start;	 /* of the event */
	uint64_t before; /* end of the event before it */
	uint64_t ticks;	 /* in operations before it */
};

/* Reads up to an event, which may be that after the last. */
static void
fill_advance(struct fill *f, uint64_t event)
{
	while (f->event <= event) {
		const struct es_operation *op;

		f->before = f->times->stop;
		f->ticks = f->times->ticks;
		op = es__phase_reader_next(f->times);
		/* Polls between both belong to the time before the event. */
		if (op != NULL)
			f->ticks = f->times->ticks - f->times->last;
		f->start = op == NULL ? f->times->stop : op->start;
		f->event++;
	}
}

static struct es__phase_bin *
part_bin(struct es__phase_part *part, uint64_t number)
{
	size_t had = part->bin_count;

	if (number < had)
		return &part->bins[number];
	if (!paths__array_reserve(&part->bins, (size_t)number + 1,
		&part->bin_room, sizeof(*part->bins)))
		return NULL;
	memset(part->bins + had, 0,
	    ((size_t)number + 1 - had) * sizeof(*part->bins));
	part->bin_count = (size_t)number + 1;
	return &part->bins[number];
}

/* Ends the iteration that is under way in a loop. */
static void
fill_close(struct fill *f, uint32_t found, uint64_t event, uint64_t stop)
{
	const struct es__phase_target *target = &f->targets[found];
	struct open *open = &f->opens[found];
	struct es__phase_bin *bin;

	if (!open->is)
		return;
	open->is = false;
	bin = part_bin(target->part,
	    (open->number + target->part->offset) >> target->shift);
	if (bin == NULL) {
		f->failed = true;
		return;
	}
	if (bin->iterations++ == 0)
		bin->start = open->start;
	bin->stop = stop;
	bin->operations += event - open->event;
	bin->ticks += f->ticks - open->ticks;
	if (stop - open->start > bin->longest)
		bin->longest = stop - open->start;
	target->part->stop = stop;
}

static void
fill_begin(struct es__phase_to *to, uint32_t loop,
    const struct es__phase_state *state, bool again, uint64_t before)
{
	struct fill *f = (void *)to;
	uint32_t found = f->detection->found_of[loop];

	(void)again;
	(void)before;
	if (found == ES__PHASE_NONE || f->targets[found].part == NULL)
		return;
	fill_advance(f, state->begin);
	fill_close(f, found, state->begin, f->start);
	f->opens[found] = (struct open){ .is = true,
		.number = state->number - 1,
		.event = state->begin,
		.start = f->start,
		.ticks = f->ticks };
	if (state->number == 1)
		f->targets[found].part->start = f->start;
}

static void
fill_leave(struct es__phase_to *to, uint32_t loop,
    const struct es__phase_state *state, uint64_t event)
{
	struct fill *f = (void *)to;
	uint32_t found = f->detection->found_of[loop];

	(void)state;
	if (found == ES__PHASE_NONE || !f->opens[found].is)
		return;
	fill_advance(f, event);
	fill_close(f, found, event, f->before);
}

paths_status
es__phase_fill(struct es__phase_reader *reader, struct es__phase_reader *times,
    struct es__phase_detection *detection,
    const struct es__phase_target *targets)
{
	struct fill f = { .to = { fill_begin, fill_leave, NULL },
		.times = times,
		.detection = detection,
		.targets = targets };
	paths_status st = PATHS_ENOMEM;

	f.opens = calloc(detection->count + (size_t)1, sizeof(*f.opens));
	times->source.rewind(&times->source);
	if (f.opens != NULL)
		st = es__phase_follow(&reader->source, detection, &f.to);
	free(f.opens);
	if (f.failed || reader->failed)
		st = PATHS_ENOMEM;
	return st == PATHS_ENOMEM ?
	    paths_log_fail(st, "no memory for iterations") :
	    st;
}
