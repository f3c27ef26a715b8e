/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/join.c - parks, carries and ends the operations of a join
 *
 * The low bits of `state` count the arrivals of this generation.  JOIN_LOST is
 * set when an input has ended and no later generation can be complete.  The
 * high bits number the generations, so that a late cancel cannot remove an
 * arrival of a later generation.
 *
 * The state decides which thread may end a parked operation:
 *
 *   count < inputs, not LOST	the thread that cancels it and decrements the
 *				count
 *   count = inputs		only the carrier
 *   LOST set			the thread that exchanges the token for NULL:
 *				join_lost, or a down that finds LOST set
 *
 * When the last lost input is opened again, the next generation begins without
 * arrivals: those that found LOST set have failed.
 *
 * State is one atomic word, so exactly one thread ends an operation.  The
 * carrier takes all operations out and starts the next generation before it
 * completes the first of them.  acc is not written again before all inputs
 * have arrived again, and an input has copied its part of acc before it arrives
 * again.
 *
 * Counters	0	generations completed
 *		1	generations that failed below
 *		2	operations parked here now
 * Errors	PATHS_EINVAL	a kind of operation that the join does not
 *				take, or a read together with another kind: all
 *				operations of the generation end with it
 *		PATHS_ECLOSED	an input has closed
 *		PATHS_ELOST	the process behind an input is gone
 *		the status of the tail, for all inputs alike
 */

#include "libpaths/stages/join_private.h"

#include "libpaths/base/lines.h"
#include "libpaths/clock.h"
#include "libpaths/engine/op_private.h"
#include "libpaths/engine/program_private.h"

#include <assert.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOIN_COUNT UINT64_C(0x7fffffff)
#define JOIN_LOST UINT64_C(0x80000000)
#define JOIN_GENERATION (UINT64_C(1) << 32)

/* Values of a slot. */
enum { JOIN_PARKED, JOIN_CARRIER };

paths_status
join_types_same(const struct paths_map_item *item, uint32_t inputs,
    struct paths_type *above, struct paths_type *below)
{
	const struct paths_map_value *type = paths_map_option(item, "-type");

	(void)inputs;
	if (type == NULL)
		return PATHS_OK;
	*above = type->type;
	*below = type->type;
	return PATHS_OK;
}

paths_status
join_types_sliced(const struct paths_map_item *item, uint32_t inputs,
    struct paths_type *above, struct paths_type *below)
{
	const struct paths_type *type = &paths_map_option(item, "-type")->type;
	char text[48];

	if ((uint64_t)type->bytes * inputs > PATHS_TYPE_BYTES_MAX)
		return paths_log_fail(PATHS_ERANGE,
		    "%u times %s is over %u bytes", inputs,
		    paths_type_text(type, text), PATHS_TYPE_BYTES_MAX);
	*above = *type;
	*below = *type;
	below->count *= inputs;
	below->bytes *= inputs;
	return PATHS_OK;
}

static uint32_t
join_tail(const struct paths_stage_env *env)
{
	const struct paths_map *map = paths_program_map(env->program);
	uint32_t tail = map->instances[env->instance].tail;

	return tail == PATHS_NONE ? PATHS_NONE : map->chains[tail].first;
}

paths_status
join_open(struct join_stage *self, const struct paths_stage_env *env,
    const struct join_spec *spec)
{
	size_t bytes =
	    sizeof(struct join) + env->inputs * sizeof(struct join_input);
	struct join *j = paths__lines_zero(1, bytes);

	self->join = j;
	if (j == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no %zu bytes for a join of %u inputs", bytes, env->inputs);
	j->spec = *spec;
	j->kinds = env->item->ops->kinds;
	j->inputs = env->inputs;
	j->value_bytes = env->above.value_bytes;
	j->below_bytes = env->below.bytes;
	j->varies = env->above.varies;
	j->program = env->program;
	j->name =
	    paths_program_map(env->program)->instances[env->instance].name;
	j->tail = join_tail(env);
	for (uint32_t i = 0; i < j->inputs; i++) {
		j->input[i].join = j;
		j->input[i].index = i;
		j->input[i].part_at = spec->sliced ? i * env->above.bytes : 0;
		j->input[i].part_bytes = env->above.bytes;
	}
	if (pthread_mutex_init(&j->ending, NULL) != 0)
		return paths_log_fail(PATHS_ENOMEM, "%s: no lock", j->name);
	j->ending_made = true;
	j->acc = paths__lines_zero(1, j->below_bytes + 1u);
	if (j->acc == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no %u bytes for the tuple of a join", j->below_bytes);
	return PATHS_OK;
}

bool
join_put_first(struct join *j, uint32_t input, const void *tuple,
    uint32_t bytes)
{
	if (input == 0) {
		j->length = bytes;
		memcpy(j->acc, tuple, bytes);
	}
	return true;
}

void *
join_port(void *self, uint32_t input)
{
	struct join_stage *stage = self;

	return &stage->join->input[input];
}

/* Fails an operation that arrived while an input was lost. */
static void
join_fail_lost(struct join *j, struct paths_op *op)
{
	pthread_mutex_lock(&j->ending);
	if (j->lost_closed)
		(void)paths_op_fail(op, PATHS_ECLOSED, "input %u has closed",
		    j->lost_input);
	else
		(void)paths_op_fail(op, PATHS_ELOST, "input %u is gone: %s",
		    j->lost_input, j->lost_why);
	pthread_mutex_unlock(&j->ending);
}

/* Ends all other operations of the generation with the carrier's result. */
static void
join_hand_out(struct join *j, const struct paths_op *carrier)
{
	for (uint32_t i = 0; i < j->inputs; i++) {
		struct join_input *in = &j->input[i];

		/* Relaxed: no other thread takes tokens while count =
		   inputs; the release below publishes the NULLs. */
		in->held = atomic_load_explicit(&in->op, memory_order_relaxed);
		atomic_store_explicit(&in->op, NULL, memory_order_relaxed);
	}
	atomic_store_explicit(&j->carrier, NULL, memory_order_relaxed);
	/* Release: pairs with the acquire of a late join_cancel. */
	atomic_fetch_add_explicit(&j->state, JOIN_GENERATION - j->inputs,
	    memory_order_release);
	for (uint32_t i = 0; i < j->inputs; i++) {
		struct paths_op *op = j->input[i].held;

		if (op == carrier)
			continue;
		op->index = carrier->index;
		op->missed = carrier->missed;
		if (carrier->status != PATHS_OK) {
			op->status = carrier->status;
			memcpy(op->why, carrier->why, sizeof(op->why));
		}
		paths__op_complete(op);
	}
	paths__wait_wake_all(&j->wake);
}

/* Returns true if operations of two kinds can be in one round.  A write gives a
   tuple and an exchange gives one and takes the result. */
static bool
join_kinds_mix(enum paths_kind a, enum paths_kind b)
{
	return a == b ||
	    ((a == PATHS_WRITE || a == PATHS_EXCHANGE) &&
		(b == PATHS_WRITE || b == PATHS_EXCHANGE));
}

/* Puts the tuple of an input.  Returns false after it has failed the carrier,
   because the inputs do not go together. */
static bool
join_put_input(struct join *j, struct paths_op *carrier, uint32_t input,
    const struct paths_op *from, enum paths_kind kind)
{
	if (!join_kinds_mix(from->kind, kind))
		(void)paths_op_fail(carrier, PATHS_EINVAL,
		    "a %s came together with a %s of input %u",
		    paths__kind_name(carrier->kind),
		    paths__kind_name(from->kind), input);
	else if (kind != PATHS_READ &&
	    !j->spec.put(j, input, from->tuple, from->bytes))
		(void)paths_op_fail(carrier, PATHS_EINVAL,
		    "the tuple of input %u has a wrong length: %u bytes", input,
		    from->bytes);
	else
		return true;
	return false;
}

/* Combines the tuples of all inputs, after the last input has arrived. */
static enum paths_pass
join_carry(struct join *j, struct paths_op *op, uint64_t *slot)
{
	enum paths_kind kind = op->kind;

	j->kind = op->kind;
	j->tuple = op->tuple;
	j->bytes = op->bytes;
	j->deadline = op->deadline;
	j->length = kind == PATHS_READ ? j->below_bytes : 0;
	for (uint32_t i = 0; i < j->inputs; i++) {
		const struct paths_op *from =
		    atomic_load_explicit(&j->input[i].op, memory_order_relaxed);

		if (!join_put_input(j, op, i, from, kind)) {
			op->deadline = j->deadline;
			join_hand_out(j, op);
			return PATHS_PASS_FAIL;
		}
		if (from->kind == PATHS_EXCHANGE)
			kind = PATHS_EXCHANGE;
		/* All end together, so the earliest deadline holds for all. */
		if (from->deadline < op->deadline)
			op->deadline = from->deadline;
	}
	op->kind = kind;
	op->tuple = j->acc;
	op->bytes = j->length;
	*slot = JOIN_CARRIER;
	/* Relaxed: published with carrier, whose release pairs with the acquire
	   in join_abort. */
	atomic_store_explicit(&j->carrier_at,
	    atomic_load_explicit(&op->at, memory_order_relaxed),
	    memory_order_relaxed);
	atomic_store_explicit(&j->carrier, op, memory_order_release);
	return PATHS_PASS_ON;
}

enum paths_pass
join_down(void *self, struct paths_op *op, uint64_t *slot)
{
	struct join_input *in = self;
	struct join *j = in->join;
	struct paths__wake *own = op->wake;
	uint64_t state;

	if ((j->kinds & PATHS_KIND_BIT(op->kind)) == 0)
		return paths_op_fail(op, PATHS_EINVAL, "takes no %s",
		    paths__kind_name(op->kind));
	*slot = JOIN_PARKED;
	op->wake = &j->wake;
	/* Relaxed: published with op. */
	atomic_store_explicit(&in->deadline, op->deadline,
	    memory_order_relaxed);
	/* Release: pairs with the exchange in join_lost.  The addition to state
	   publishes op to the carrier. */
	atomic_store_explicit(&in->op, op, memory_order_release);
	/* Acquire and release: the last to add sees the tuples of all. */
	state = atomic_fetch_add_explicit(&j->state, 1, memory_order_acq_rel);
	if (__builtin_expect((state & JOIN_LOST) != 0, 0)) {
		if (atomic_exchange_explicit(&in->op, NULL,
			memory_order_acq_rel) == NULL)
			return PATHS_PASS_PARK; /* join_lost ends it */
		op->wake = own;
		join_fail_lost(j, op);
		return PATHS_PASS_FAIL;
	}
	if ((state & JOIN_COUNT) + 1 < j->inputs)
		return PATHS_PASS_PARK;
	op->wake = own;
	return join_carry(j, op, slot);
}

/* Sets the parts of the tuple that came up, or fails the carrier. */
static void
join_divide(struct join *j, struct paths_op *carrier)
{
	uint32_t bytes = carrier->bytes;
	uint32_t part = j->spec.sliced ? bytes / j->inputs : bytes;

	if (j->spec.sliced && j->spec.put != NULL) {
		/* The parts are those that were put. */
		if (bytes != j->length)
			(void)paths_op_fail(carrier, PATHS_EINVAL,
			    "%u bytes came up, not the %u that went down",
			    bytes, j->length);
		return;
	}
	if (j->spec.sliced &&
	    (part * j->inputs != bytes || part % j->value_bytes != 0)) {
		(void)paths_op_fail(carrier, PATHS_EINVAL,
		    "a tuple of %u bytes has no equal parts for %u inputs",
		    bytes, j->inputs);
		return;
	}
	for (uint32_t i = 0; i < j->inputs; i++) {
		j->input[i].part_at = j->spec.sliced ? i * part : 0;
		j->input[i].part_bytes = part;
	}
}

void
join_up(void *self, struct paths_op *op, uint64_t *slot)
{
	struct join_input *in = self;
	struct join *j = in->join;

	if (*slot == JOIN_CARRIER) {
		*slot = JOIN_PARKED;
		if (j->varies && op->status == PATHS_OK &&
		    op->kind != PATHS_WRITE)
			join_divide(j, op);
		op->kind = j->kind;
		op->tuple = j->tuple;
		op->bytes = j->bytes;
		op->deadline = j->deadline;
		paths__stage_count(&j->generations, 1);
		if (op->status != PATHS_OK)
			paths__stage_count(&j->failures, 1);
		join_hand_out(j, op);
	}
	if (op->status == PATHS_OK && op->kind != PATHS_WRITE) {
		op->bytes = in->part_bytes;
		memcpy(op->tuple, j->acc + in->part_at, in->part_bytes);
	}
}

/*
 * Ends the carrier, which is parked in the tail, because all operations of a
 * generation end together.  The operation of `in` stays in the join until then,
 * so the carrier is of the same generation.  A carrier with a thread ends at
 * its deadline by itself.  This function is for carriers without a thread, and
 * for inputs whose path is closed.
 */
static void
join_abort(struct join *j, const struct join_input *in)
{
	struct paths_op *carrier =
	    atomic_load_explicit(&j->carrier, memory_order_acquire);
	/* Not op->deadline: op may end and begin again in the meantime. */
	bool late = atomic_load_explicit(&in->deadline, memory_order_relaxed) <=
	    paths_clock_ticks();
	char why[PATHS_OP_WHY_BYTES];

	if (carrier == NULL)
		return;
	(void)snprintf(why, sizeof(why),
	    late ? "the deadline of input %u of %s passed" :
		   "input %u of %s was canceled",
	    in->index, j->name);
	(void)paths__op_abort(carrier,
	    atomic_load_explicit(&j->carrier_at, memory_order_relaxed),
	    late ? PATHS_ETIMEDOUT : PATHS_ECANCELED, why);
}

bool
join_cancel(void *self, struct paths_op *op, uint64_t *slot)
{
	struct join_input *in = self;
	struct join *j = in->join;
	/* Acquire: pairs with the release in join_hand_out, after which the
	   token of op is NULL. */
	uint64_t state = atomic_load_explicit(&j->state, memory_order_acquire);

	(void)slot;
	do {
		if (atomic_load_explicit(&in->op, memory_order_relaxed) != op)
			return false;
		if ((state & JOIN_COUNT) == j->inputs) {
			join_abort(j, in);
			return false;
		}
		if ((state & JOIN_LOST) != 0)
			return false; /* join_lost ends it */
	} while (!atomic_compare_exchange_weak_explicit(&j->state, &state,
	    state - 1, memory_order_acq_rel, memory_order_acquire));
	/* join_lost may take the token first. */
	return atomic_exchange_explicit(&in->op, NULL, memory_order_acq_rel) !=
	    NULL;
}

/* Sets the cause that is reported.  With the lock `ending`. */
static void
join_blame(struct join *j, const struct join_input *in)
{
	j->lost_input = in->index;
	j->lost_closed = in->closed;
}

/* Returns a lost input; there is one.  With the lock `ending`. */
static const struct join_input *
join_any_lost(const struct join *j)
{
	const struct join_input *in = j->input;

	while (!in->lost)
		in++;
	return in;
}

/* Takes all parked operations out, because no generation can be complete.  With
   the lock `ending`. */
static void
join_lose(struct join *j)
{
	/* Release and acquire: the operations that arrived before are seen. */
	uint64_t state = atomic_fetch_or_explicit(&j->state, JOIN_LOST,
	    memory_order_acq_rel);

	/* The input's own operation has ended, so no operation is carried. */
	assert((state & JOIN_COUNT) < j->inputs);
	(void)state;
	j->failing = true;
	for (uint32_t i = 0; i < j->inputs; i++)
		j->input[i].taken = atomic_exchange_explicit(&j->input[i].op,
		    NULL, memory_order_acq_rel);
	if (j->tail != PATHS_NONE)
		paths__program_end_chain(j->program, j->tail,
		    j->lost_closed ? NULL : j->lost_why);
}

/* Ends the operations that join_lose has taken out.  Without the lock, because
   an operation may end a chain that leads to this join. */
static void
join_fail_taken(struct join *j)
{
	for (uint32_t i = 0; i < j->inputs; i++) {
		struct paths_op *op = j->input[i].taken;

		if (op == NULL)
			continue;
		join_fail_lost(j, op);
		paths__op_complete(op);
	}
	paths__wait_wake_all(&j->wake);
	pthread_mutex_lock(&j->ending);
	j->failing = false;
	pthread_mutex_unlock(&j->ending);
}

void
join_lost(void *self, const char *why)
{
	struct join_input *in = self;
	struct join *j = in->join;
	bool first;

	pthread_mutex_lock(&j->ending);
	first = !in->lost && j->lost == 0;
	if (!in->lost) {
		in->closed = why == NULL;
		j->lost++;
	}
	in->lost = true;
	if (why != NULL && j->lost_why[0] == '\0')
		(void)snprintf(j->lost_why, sizeof(j->lost_why), "%s", why);
	if (first) {
		join_blame(j, in);
		join_lose(j);
	}
	pthread_mutex_unlock(&j->ending);
	if (first)
		join_fail_taken(j);
}

/* Begins a generation without arrivals.  With the lock `ending`. */
static void
join_restart(struct join *j)
{
	/* Relaxed: a failed exchange reads it again. */
	uint64_t state = atomic_load_explicit(&j->state, memory_order_relaxed);

	/* The operations that arrived while an input was lost have failed, or
	   fail as soon as their threads look. */
	while (!atomic_compare_exchange_weak_explicit(&j->state, &state,
	    (state & ~(JOIN_COUNT | JOIN_LOST)) + JOIN_GENERATION,
	    memory_order_acq_rel, memory_order_relaxed))
		;
}

paths_status
join_reopen(void *self)
{
	struct join_input *in = self;
	struct join *j = in->join;
	paths_status st = PATHS_OK;

	pthread_mutex_lock(&j->ending);
	while (j->failing) {
		pthread_mutex_unlock(&j->ending);
		sched_yield();
		pthread_mutex_lock(&j->ending);
	}
	if (in->lost && j->lost == 1 && j->tail != PATHS_NONE)
		st = paths__program_reopen_chain(j->program, j->tail);
	if (in->lost && st == PATHS_OK) {
		in->lost = false;
		if (--j->lost == 0)
			join_restart(j);
		else if (j->lost_input == in->index)
			join_blame(j, join_any_lost(j));
	}
	pthread_mutex_unlock(&j->ending);
	return st;
}

void
join_stat(const void *self, paths_stat_emit *emit, void *to)
{
	const struct join_stage *stage = self;
	const struct join *j = stage->join;
	uint64_t parked = 0;

	for (uint32_t i = 0; i < j->inputs; i++)
		parked += atomic_load_explicit(&j->input[i].op,
			      memory_order_relaxed) != NULL;
	emit(to, 0,
	    atomic_load_explicit(&j->generations, memory_order_relaxed));
	emit(to, 1, atomic_load_explicit(&j->failures, memory_order_relaxed));
	emit(to, 2, parked);
}

void
join_close(void *self)
{
	struct join_stage *stage = self;
	struct join *j = stage->join;

	if (j == NULL)
		return;
	if (j->ending_made)
		pthread_mutex_destroy(&j->ending);
	free(j->acc);
	free(j);
}
