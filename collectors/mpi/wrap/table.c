/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/wrap/table.c - wrappers of calls that are not frequent, as
 * data
 */

#include "collectors/mpi/wrap/table_private.h"

#include "collectors/mpi/call/collective_private.h"
#include "collectors/mpi/wrap/wrap_private.h"
#include "collectors/mpi_function.h"

/* Calls the next function.  Words after those of the function, in registers or
   on the stack, do no harm: the caller removes them. */
static int
table_forward(const struct mpi_wrapper *w, const void *next, const mpi_word *a)
{
	int (*few)(mpi_word, mpi_word, mpi_word, mpi_word, mpi_word, mpi_word);
	int (*many)(mpi_word, mpi_word, mpi_word, mpi_word, mpi_word, mpi_word,
	    mpi_word, mpi_word, mpi_word, mpi_word, mpi_word, mpi_word,
	    mpi_word, mpi_word, mpi_word, mpi_word);

	_Static_assert(MPI_WRAPPER_WORDS == 16, "words of many");
	if (w->count <= 6) {
		few = (__typeof__(few))(uintptr_t)next;
		return few(a[0], a[1], a[2], a[3], a[4], a[5]);
	}
	many = (__typeof__(many))(uintptr_t)next;
	return many(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9],
	    a[10], a[11], a[12], a[13], a[14], a[15]);
}

/* Passes on a call that is not recorded and that no hook sees, and numbers it
   if it is a collective. */
static int
table_pass(const struct mpi_wrapper *w, const void *next, const mpi_word *a,
    enum mpi_form form)
{
	bool fortran = mpi_form_fortran(form);
	struct mpi_thread *thread = mpi_self;
	mpi_handle comm;
	int result;

	if (w->comm < 0)
		return table_forward(w, next, a);
	comm = fortran ? mpi_f_handle(a[w->comm], mpi_abi.call.comm_f2c) :
			 mpi_c_handle(a[w->comm]);
	/* Collectives in Fortran may call those in C. */
	if (!mpi_collective_skip(thread, comm, MPI_HERE,
		!fortran && mpi_abi.plain))
		return table_forward(w, next, a);
	result = table_forward(w, next, a);
	thread->outermost = 0;
	return result;
}

/* Returns whether the hooks see a call that is not recorded.  The inner call of
   another call is not seen, and is forgotten here; see mpi_inner_met. */
static bool
table_see(const struct mpi_wrapper *w)
{
	switch (w->kind) {
	case MPI_WRAPPER_ALWAYS:
		return !mpi_inner_met(w->function) &&
		    mpi_abi.row != MPI_ABI_NONE;
	case MPI_WRAPPER_PENDING:
		return !mpi_inner_met(w->function) && mpi_requests_pending();
	default:
		return false;
	}
}

/* Lets collectives that MPI calls by public names inside a collective on a file
   count as nested, so that they get no numbers, as in a recorded call.
   Returns whether the caller ends this with thread->outermost = 0. */
static bool
table_nest(const struct mpi_call *call)
{
	if (call->here == NULL || call->thread == NULL ||
	    call->thread->process == NULL || call->thread->outermost != 0 ||
	    !(es_mpi_function(call->function)->flags & ES_MPI_FILE_COLLECTIVE))
		return false;
	call->thread->outermost = (uintptr_t)call->here;
	return true;
}

/* Passes on a call that is recorded or that hooks see, between its stamps.
   Returns its result, in Fortran the value of ierror. */
static int
table_call(const struct mpi_wrapper *w, struct mpi_call *call, const void *next,
    mpi_word *a)
{
	int32_t error = 0, result;
	bool nests = table_nest(call);

	if (w->error >= 0 && a[w->error] == 0)
		a[w->error] = (mpi_word)&error;
	mpi_begin(call);
	if (w->kind >= MPI_WRAPPER_ALWAYS)
		mpi_inner = call->function;
	result = table_forward(w, next, a);
	if (w->kind >= MPI_WRAPPER_ALWAYS)
		mpi_inner = 0;
	if (nests)
		call->thread->outermost = 0;
	mpi_end(call);
	return w->error < 0 ? result : *(const int32_t *)a[w->error];
}

int
mpi_wrapper_run(const struct mpi_wrapper *w, mpi_word *a, enum mpi_form form,
    const void *caller)
{
	const void *next = mpi_next_get(form, w->function);
	struct mpi_call call;
	struct mpi_args args;
	int result;

	if (!mpi_enter(&call, w->function, caller, MPI_HERE, mpi_look())) {
		if (!table_see(w))
			return table_pass(w, next, a, form);
		mpi_enter_unrecorded(&call, w->function, caller, MPI_HERE);
	}
	if (mpi_form_fortran(form))
		mpi_args_fortran(&args, form);
	else
		mpi_args_c(&args, form == MPI_FORM_C_LARGE);
	if (w->fill != NULL)
		w->fill(&args, a, form);
	if (w->before != NULL)
		w->before(&call, &args);
	if (w->status >= 0)
		a[w->status] = (mpi_word)args.status;
	result = table_call(w, &call, next, a);
	if (w->after != NULL)
		w->after(&call, &args, result);
	mpi_leave(&call);
	return result;
}
