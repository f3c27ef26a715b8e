/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/element.c - a sequence of tuples that paths write and read
 *
 * Tuples are numbered from 0 in the order in which they are written.  A ring
 * holds at most `keep` of them: `first` is the number of the oldest, `next`
 * that of the tuple to be written next.  There is a port for each chain that
 * enters the element.  Every port has a cursor: the number of the tuple that it
 * reads next.  With -take one, all ports share one cursor.
 *
 * A port is a reader from its first read on, or from the start when its path
 * has -use read.  A full element with -full block or fail drops its oldest
 * tuple when all readers have read it.  An exchange is a write that reads its
 * own tuple back: the cursor of its port moves past the tuple, so nothing is
 * kept for a port that only exchanges.  With -full block or fail, an element
 * without a reader and without a port that exchanges drops no tuple.
 *
 * Reads and writes that cannot be completed are parked in two queues, in the
 * order of arrival.  When a port has closed or was lost, element_settle fails
 * the operations that no remaining port can complete.  A port that is opened
 * again goes on at its cursor; the tuples that were dropped meanwhile are
 * counted as missed.
 *
 * Arguments	the name of an element, whose line has -keep, -full and -take
 * Counters	0	tuples written
 *		1	tuples read
 *		2	tuples discarded by -full discard
 *		3	tuples in the ring now
 *		4	operations parked now
 * Errors	PATHS_EFULL	-full fail, and it is full
 *		PATHS_ECLOSED	no port remains that could write the tuple for a
 *				read, or read a tuple to make room for a write
 *		PATHS_ELOST	as PATHS_ECLOSED, after the process of a port
 *				was lost; the message names the first such
 *				process
 *		PATHS_ENOMEM	-keep times the tuple is over 1 GiB
 * Source	Vinter: PastSet, a structured distributed shared memory
 *		system, University of Tromsoe, 1999
 */

#include "libpaths/base/lines.h"
#include "libpaths/engine/path_private.h"
#include "libpaths/map/item_private.h"
#include "libpaths/map/stage_private.h"
#include "libpaths/program.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#define ELEMENT_BYTES_MAX (UINT64_C(1) << 30)
#define ELEMENT_LARGE (32u << 10) /* each tuple has memory of its own */

enum element_state { ELEMENT_IDLE, ELEMENT_READS, ELEMENT_WRITES };

/* The port of a chain.  Written under the element's lock. */
struct element_port {
	TAILQ_ENTRY(element_port) link; /* in readers, writers or ended */
	struct element *element;
	struct paths_op *op;	  /* valid unless IDLE, and while in ended */
	enum element_state state; /* of op; IDLE: not in an operation */
	uint64_t cursor;
	enum paths_map_use use; /* in the map */
	bool reader;		/* keeps tuples from being dropped */
	bool exchanger;
	bool gone;
};

TAILQ_HEAD(element_queue, element_port);

struct element {
	/* Written by open. */
	uint64_t keep;
	uint32_t bytes; /* the greatest of a tuple */
	uint32_t inputs;
	enum paths_map_full full;
	enum paths_map_take take;
	struct element_port *ports;
	unsigned char *ring;
	unsigned char **large; /* slots of large tuples, in place of ring */
	uint32_t *lengths;     /* of the tuples in the slots; NULL: bytes */

	/* The rest is read and written under the lock. */
	pthread_mutex_t lock;
	bool lock_made;
	uint64_t first;
	uint64_t next;
	uint64_t head;	 /* slot of the ring for tuple `next` */
	uint64_t shared; /* the cursor of -take one */
	uint64_t wanted; /* lower bound of the oldest tuple to be read */
	uint64_t reads;
	uint64_t discarded;
	uint32_t gone;
	char lost_why[PATHS_OP_WHY_BYTES]; /* "": no process was lost */
	struct element_queue readers;	   /* parked, oldest first */
	struct element_queue writers;
};

/* Returns the use of the element by a chain.  The chain of a buffer or a tee
   writes, those of a merge read; the tail of a join may do anything. */
static enum paths_map_use
element_use(const struct paths_map *map, const struct paths_map_chain *chain)
{
	const struct paths_stage_ops *ops;

	if (chain->path != PATHS_NONE)
		return map->paths[chain->path].use;
	ops = map->instances[chain->stage].ops;
	if ((ops->flags & (PATHS_STAGE_BEHIND | PATHS_STAGE_SIDE)) == 0)
		return PATHS_USE_ANY;
	return ops->kinds == PATHS_KIND_BIT(PATHS_READ) ? PATHS_USE_READ :
							  PATHS_USE_WRITE;
}

/* Sets up the ports of all chains that enter the element. */
static void
element_ports(struct element *e, const struct paths_map *map, uint32_t instance)
{
	for (uint32_t i = 0; i < e->inputs; i++)
		e->ports[i].element = e;
	for (uint32_t n = map->instances[instance].item; n != PATHS_NONE;
	     n = paths__item_next_input(map, n)) {
		const struct paths_map_item *item = &map->items[n];
		struct element_port *port = &e->ports[item->input];

		port->use = element_use(map, &map->chains[item->chain]);
		port->reader = port->use == PATHS_USE_READ;
		port->exchanger = port->use == PATHS_USE_EXCHANGE;
	}
}

/* Allocates the slots. */
static bool
element_alloc(struct element *e, bool varies)
{
	if (varies) {
		e->lengths = calloc(e->keep, sizeof(*e->lengths));
		if (e->lengths == NULL)
			return false;
	}
	if (e->bytes < ELEMENT_LARGE) {
		e->ring = paths__lines_alloc(e->keep, e->bytes);
		return e->ring != NULL;
	}
	e->large = calloc(e->keep, sizeof(*e->large));
	if (e->large == NULL)
		return false;
	for (uint64_t i = 0; i < e->keep; i++) {
		e->large[i] = paths__lines_alloc(1, e->bytes);
		if (e->large[i] == NULL)
			return false;
	}
	return true;
}

static paths_status
element_open(void *self, const struct paths_stage_env *env)
{
	struct element *e = self;
	const struct paths_map *map = paths_program_map(env->program);
	const struct paths_map_element *as =
	    &map->elements[map->instances[env->instance].element];

	e->keep = as->keep;
	e->bytes = as->type.bytes;
	e->full = as->full;
	e->take = as->take;
	e->inputs = env->inputs;
	TAILQ_INIT(&e->readers);
	TAILQ_INIT(&e->writers);
	if (e->keep == 0)
		return paths_log_fail(PATHS_EINVAL, "element %s keeps 0 tuples",
		    as->name);
	if (e->keep > ELEMENT_BYTES_MAX / e->bytes)
		return paths_log_fail(PATHS_ENOMEM,
		    "element %s: %" PRIu64 " tuples of %u bytes are over 1 GiB",
		    as->name, e->keep, e->bytes);
	e->ports = calloc(e->inputs, sizeof(*e->ports));
	if (!element_alloc(e, as->type.varies) ||
	    (e->ports == NULL && e->inputs > 0))
		return paths_log_fail(PATHS_ENOMEM,
		    "element %s: no memory for %" PRIu64 " tuples of %u bytes",
		    as->name, e->keep, e->bytes);
	if (pthread_mutex_init(&e->lock, NULL) != 0)
		return paths_log_fail(PATHS_ENOMEM, "element %s: no lock",
		    as->name);
	e->lock_made = true;
	element_ports(e, map, env->instance);
	return PATHS_OK;
}

static void *
element_port(void *self, uint32_t input)
{
	struct element *e = self;

	return &e->ports[input];
}

/* Returns the number of the slot of a tuple. */
static uint64_t
element_slot(const struct element *e, uint64_t index)
{
	uint64_t back = e->next - index;

	return e->head >= back ? e->head - back : e->head + e->keep - back;
}

static uint64_t *
element_cursor(struct element_port *port)
{
	struct element *e = port->element;

	return e->take == PATHS_TAKE_ONE ? &e->shared : &port->cursor;
}

/* Returns true when an exchange is about to move the port's cursor. */
static bool
element_moves(const struct element_port *port)
{
	return port->element->take == PATHS_TAKE_EACH &&
	    port->state == ELEMENT_WRITES && port->op->kind == PATHS_EXCHANGE;
}

/* Returns the number of the oldest tuple that must be kept for a port: `next`
   when all were read, `first` when no port left reads or exchanges. */
static uint64_t
element_wanted(const struct element *e)
{
	uint64_t wanted = e->next;
	bool known = false;

	for (uint32_t i = 0; i < e->inputs; i++) {
		struct element_port *port = &e->ports[i];

		if (port->gone)
			continue;
		known = known || port->reader || port->exchanger;
		if (!port->reader || element_moves(port))
			continue;
		if (*element_cursor(port) < wanted)
			wanted = *element_cursor(port);
	}
	return known ? wanted : e->first;
}

/* Makes room for one more tuple, by dropping the oldest if that is allowed. */
static bool
element_make_room(struct element *e)
{
	if (e->next - e->first < e->keep)
		return true;
	if (e->full == PATHS_FULL_DISCARD) {
		e->discarded++;
	} else {
		if (e->wanted <= e->first)
			e->wanted = element_wanted(e);
		if (e->wanted <= e->first)
			return false;
	}
	e->first++;
	return true;
}

/* Writes a large tuple.  The memory of the operation becomes the slot, if the
   path gives it away, and the path gets that of the slot. */
static void
element_put_large(struct element *e, struct paths_op *op)
{
	unsigned char *slot = e->large[e->head];

	if (op->kind == PATHS_WRITE && op->path->gives) {
		e->large[e->head] = op->tuple;
		op->tuple = slot;
	} else {
		memcpy(slot, op->tuple, op->bytes);
	}
}

static void
element_put(struct element_port *port, struct paths_op *op)
{
	struct element *e = port->element;

	if (e->large)
		element_put_large(e, op);
	else
		memcpy(e->ring + e->head * e->bytes, op->tuple, op->bytes);
	if (e->lengths)
		e->lengths[e->head] = op->bytes;
	op->index = e->next++;
	if (++e->head == e->keep)
		e->head = 0;
	if (op->kind == PATHS_EXCHANGE) {
		port->exchanger = true;
		port->cursor = e->next;
	}
}

/* Returns true when the ring has a tuple that the port has not read.  The ring
   is empty when all tuples were deleted. */
static bool
element_has(struct element_port *port)
{
	const struct element *e = port->element;

	return *element_cursor(port) < e->next && e->first < e->next;
}

static void
element_get(struct element_port *port, struct paths_op *op)
{
	struct element *e = port->element;
	uint64_t *cursor = element_cursor(port);
	uint64_t slot;

	op->missed = 0;
	if (*cursor < e->first) {
		op->missed = e->first - *cursor;
		*cursor = e->first;
	}
	slot = element_slot(e, *cursor);
	if (e->lengths)
		op->bytes = e->lengths[slot];
	memcpy(op->tuple, e->large ? e->large[slot] : e->ring + slot * e->bytes,
	    op->bytes);
	op->index = (*cursor)++;
	e->reads++;
}

static void
element_end(struct element_queue *from, struct element_port *port,
    struct element_queue *ended)
{
	TAILQ_REMOVE(from, port, link);
	port->state = ELEMENT_IDLE;
	TAILQ_INSERT_TAIL(ended, port, link);
}

/* Completes parked writes, then parked reads, until neither can go on. */
static void
element_serve(struct element *e, struct element_queue *ended)
{
	struct element_port *port;
	bool moved;

	do {
		moved = false;
		while ((port = TAILQ_FIRST(&e->writers)) != NULL &&
		    element_make_room(e)) {
			element_put(port, port->op);
			element_end(&e->writers, port, ended);
			moved = true;
		}
		while ((port = TAILQ_FIRST(&e->readers)) != NULL &&
		    element_has(port)) {
			element_get(port, port->op);
			element_end(&e->readers, port, ended);
			moved = true;
		}
	} while (moved);
}

static void
element_fail(struct element *e, struct element_queue *queue, const char *verb,
    struct element_queue *ended)
{
	bool lost = e->lost_why[0] != '\0';
	struct element_port *port;

	while ((port = TAILQ_FIRST(queue)) != NULL) {
		(void)paths_op_fail(port->op,
		    lost ? PATHS_ELOST : PATHS_ECLOSED,
		    "nobody is left to %s%s%s", verb, lost ? ": " : "",
		    e->lost_why);
		element_end(queue, port, ended);
	}
}

/* Returns true when no port can write a tuple for the parked reads. */
static bool
element_nobody_writes(const struct element *e)
{
	for (uint32_t i = 0; i < e->inputs; i++) {
		const struct element_port *port = &e->ports[i];

		if (port->state == ELEMENT_WRITES)
			return false;
		if (!port->gone && port->state != ELEMENT_READS &&
		    port->use != PATHS_USE_READ)
			return false;
	}
	return true;
}

/*
 * Returns true when no port can make room for the parked writes: each reader
 * that has yet to read the oldest tuple is gone or waits in a write itself, and
 * either a port has read or exchanged or no port can become a reader.
 */
static bool
element_nobody_reads(const struct element *e)
{
	bool known = false;
	bool may_come = false;

	for (uint32_t i = 0; i < e->inputs; i++) {
		struct element_port *port = &e->ports[i];
		bool may_read =
		    port->use == PATHS_USE_ANY || port->use == PATHS_USE_READ;

		known = known || port->reader || port->exchanger;
		if (port->gone || port->state == ELEMENT_WRITES)
			continue;
		if (port->reader && *element_cursor(port) <= e->first)
			return false;
		may_come = may_come || may_read;
	}
	return known || !may_come;
}

/* Fails the parked operations that can never be completed. */
static void
element_settle(struct element *e, struct element_queue *ended)
{
	/* Any port may still read or write. */
	if (e->gone == 0)
		return;
	if (!TAILQ_EMPTY(&e->writers) && element_nobody_reads(e))
		element_fail(e, &e->writers, "read", ended);
	if (!TAILQ_EMPTY(&e->readers) && element_nobody_writes(e))
		element_fail(e, &e->readers, "write", ended);
}

/* Is called without the lock: a resumed operation may enter the element
   again at once. */
static void
element_resume(struct element_queue *ended)
{
	struct element_port *port;

	while ((port = TAILQ_FIRST(ended)) != NULL) {
		TAILQ_REMOVE(ended, port, link);
		paths_op_resume(port->op);
	}
}

static enum paths_pass
element_read(struct element_port *port, struct paths_op *op)
{
	struct element *e = port->element;

	if (!port->reader) {
		port->reader = true;
		e->wanted = e->first; /* look at all ports again */
	}
	if (element_has(port)) {
		element_get(port, op);
		return PATHS_PASS_TURN;
	}
	port->op = op;
	port->state = ELEMENT_READS;
	TAILQ_INSERT_TAIL(&e->readers, port, link);
	return PATHS_PASS_PARK;
}

static enum paths_pass
element_write(struct element_port *port, struct paths_op *op)
{
	struct element *e = port->element;

	/* Set first, because element_make_room looks for ports in an
	   exchange. */
	port->op = op;
	port->state = ELEMENT_WRITES;
	if (TAILQ_EMPTY(&e->writers) && element_make_room(e)) {
		element_put(port, op);
		port->state = ELEMENT_IDLE;
		return PATHS_PASS_TURN;
	}
	if (e->full == PATHS_FULL_FAIL) {
		port->state = ELEMENT_IDLE;
		return paths_op_fail(op, PATHS_EFULL,
		    "full: not all of %" PRIu64 " tuples are read", e->keep);
	}
	TAILQ_INSERT_TAIL(&e->writers, port, link);
	return PATHS_PASS_PARK;
}

static enum paths_pass
element_delete(struct element *e, const struct paths_op *op)
{
	uint64_t index = op->index < e->next ? op->index : e->next;

	if (e->first < index)
		e->first = index;
	return PATHS_PASS_TURN;
}

/* Completes parked operations after an operation of a port.  Called with the
   lock, which it releases.  Returns the pass that the port's operation makes
   now. */
__attribute__((noinline)) static enum paths_pass
element_go_on(struct element_port *port, const struct paths_op *op,
    enum paths_pass pass)
{
	struct element *e = port->element;
	struct element_queue ended = TAILQ_HEAD_INITIALIZER(ended);

	element_serve(e, &ended);
	element_settle(e, &ended);
	if (pass == PATHS_PASS_PARK && port->state == ELEMENT_IDLE) {
		/* The operation has ended already: this pass continues it. */
		TAILQ_REMOVE(&ended, port, link);
		pass =
		    op->status == PATHS_OK ? PATHS_PASS_TURN : PATHS_PASS_FAIL;
	}
	pthread_mutex_unlock(&e->lock);
	element_resume(&ended);
	return pass;
}

static enum paths_pass
element_down(void *self, struct paths_op *op, uint64_t *slot)
{
	struct element_port *port = self;
	struct element *e = port->element;
	enum paths_pass pass;

	(void)slot;
	pthread_mutex_lock(&e->lock);
	if (op->kind == PATHS_READ)
		pass = element_read(port, op);
	else if (op->kind == PATHS_DELETE)
		pass = element_delete(e, op);
	else
		pass = element_write(port, op);
	if (!TAILQ_EMPTY(&e->readers) || !TAILQ_EMPTY(&e->writers))
		return element_go_on(port, op, pass);
	pthread_mutex_unlock(&e->lock);
	return pass;
}

static bool
element_cancel(void *self, struct paths_op *op, uint64_t *slot)
{
	struct element_port *port = self;
	struct element *e = port->element;
	bool here;

	(void)slot;
	pthread_mutex_lock(&e->lock);
	here = port->state != ELEMENT_IDLE && port->op == op;
	if (here) {
		TAILQ_REMOVE(port->state == ELEMENT_READS ? &e->readers :
							    &e->writers,
		    port, link);
		port->state = ELEMENT_IDLE;
	}
	pthread_mutex_unlock(&e->lock);
	return here;
}

static void
element_lost(void *self, const char *why)
{
	struct element_port *port = self;
	struct element *e = port->element;
	struct element_queue ended = TAILQ_HEAD_INITIALIZER(ended);

	pthread_mutex_lock(&e->lock);
	if (!port->gone) {
		port->gone = true;
		e->gone++;
		if (why != NULL && e->lost_why[0] == '\0')
			(void)snprintf(e->lost_why, sizeof(e->lost_why), "%s",
			    why);
	}
	element_serve(e, &ended);
	element_settle(e, &ended);
	pthread_mutex_unlock(&e->lock);
	element_resume(&ended);
}

static paths_status
element_reopen(void *self)
{
	struct element_port *port = self;
	struct element *e = port->element;

	pthread_mutex_lock(&e->lock);
	if (port->gone) {
		port->gone = false;
		e->gone--;
		e->wanted = e->first; /* look at all ports again */
	}
	pthread_mutex_unlock(&e->lock);
	return PATHS_OK;
}

static void
element_stat(const void *self, paths_stat_emit *emit, void *to)
{
	/* Changes only the lock. */
	struct element *e = (struct element *)(uintptr_t)self;
	uint64_t counters[5] = { 0 };
	const struct element_port *port;

	pthread_mutex_lock(&e->lock);
	counters[0] = e->next;
	counters[1] = e->reads;
	counters[2] = e->discarded;
	counters[3] = e->next - e->first;
	TAILQ_FOREACH(port, &e->readers, link)
	counters[4]++;
	TAILQ_FOREACH(port, &e->writers, link)
	counters[4]++;
	pthread_mutex_unlock(&e->lock);
	for (unsigned n = 0; n < 5; n++)
		emit(to, n, counters[n]);
}

static void
element_close(void *self)
{
	struct element *e = self;

	if (e->lock_made)
		pthread_mutex_destroy(&e->lock);
	for (uint64_t i = 0; e->large != NULL && i < e->keep; i++)
		free(e->large[i]);
	free(e->large);
	free(e->ports);
	free(e->lengths);
	free(e->ring);
}

static const struct paths_option element_options[] = {
	{ "name", PATHS_OPTION_WORD, PATHS_OPTION_REQUIRED, NULL, NULL,
	    "an element of the map" },
	{ 0 },
};

const struct paths_stage_ops paths__stage_element = {
	.abi = PATHS_STAGE_ABI,
	.name = "element",
	.about = "turn operations round at an element of this process",
	.example = "element e",
	.flags = PATHS_STAGE_END,
	.size = sizeof(struct element),
	.options = element_options,
	.open = element_open,
	.port = element_port,
	.down = element_down,
	.cancel = element_cancel,
	.lost = element_lost,
	.reopen = element_reopen,
	.stat = element_stat,
	.close = element_close,
};
