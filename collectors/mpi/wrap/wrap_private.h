/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/wrap/wrap_private.h - what generated wrappers are made of
 *
 * A wrapper takes and passes on every argument as 8 bytes: that is how
 * integers, handles and pointers are passed where we run, in registers as on
 * the stack, so int and MPI_Count need no two wrappers, and what is undefined
 * in a register stays as it is.
 *
 * The forms of a procedure (C, large-count, the bindings of Fortran) each
 * forward to the same form of the next library, so handles, sentinels and
 * descriptors are converted by whoever knows how.
 */

#ifndef COLLECTORS_MPI_WRAP_WRAP_PRIVATE_H
#define COLLECTORS_MPI_WRAP_WRAP_PRIVATE_H

#include "collectors/mpi/abi/abi_private.h"
#include "collectors/mpi/abi/functions_gen.h"
#include "collectors/mpi/process/record_private.h"
#include "collectors/mpi/wrap/inner_private.h"

#if UINTPTR_MAX != UINT64_MAX || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "arguments of MPI procedures are taken as 8 bytes, low half first"
#endif

typedef uintptr_t mpi_word;

#define MPI_EXPORT __attribute__((visibility("default")))
#define MPI_SHARED __attribute__((noinline))
#define MPI_CALLER __builtin_return_address(0)
#define MPI_HERE __builtin_frame_address(0)
/* Another name of a procedure: those that compilers write, and PMPI_. */
#define MPI_ALIAS(name, of) \
	extern MPI_EXPORT __typeof__(of) name __attribute__((alias(#of)))

enum mpi_form {
	MPI_FORM_C,
	MPI_FORM_C_LARGE,
	MPI_FORM_C_X,	 /* by the name MPIX_, as those with _X below */
	MPI_FORM_F,	 /* mpif.h and use mpi */
	MPI_FORM_F_CPTR, /* use mpi, addresses as TYPE(C_PTR) */
	MPI_FORM_F_X,
	MPI_FORM_F08,	/* mpi_f08; choice buffers are addresses */
	MPI_FORM_F08TS, /* mpi_f08; choice buffers are descriptors */
	MPI_FORM_F08_LARGE,
	MPI_FORM_F08TS_LARGE,
	MPI_FORM_F08_X,
	MPI_FORMS
};

/* Where each form of each function goes on; NULL: not asked for yet. */
extern void *_Atomic mpi_next[MPI_FORMS][MPI_FN_COUNT] MPI_OWN;

/* The slow way, once for each.  Finds out first which MPI this is.  Ends the
   program, as the dynamic linker would, where there is no such procedure. */
void *mpi_next_find(enum mpi_form form, uint32_t function)
    __attribute__((cold));

static inline void *
mpi_next_get(enum mpi_form form, uint32_t function)
{
	/* With what mpi_next_find found out about the MPI before. */
	void *next = atomic_load_explicit(&mpi_next[form][function],
	    memory_order_acquire);

	if (__builtin_expect(next == NULL, 0))
		next = mpi_next_find(form, function);
	return next;
}

/*
 * A library may have functions of its own that are called like those of use mpi
 * where no underscore is added, as Rmpi has.  Ours come before them, so calls
 * of them arrive here, and are passed on as they are.  NULL: there is none.
 */
void *mpi_namesake_get(uint32_t function, const char *symbol);

/* Fortran's sentinels are variables, known by their addresses. */
#define MPI_FORTRAN_IN_PLACES 5u

struct mpi_fortran {
	const void *in_place[MPI_FORTRAN_IN_PLACES]; /* NULL: none */
	/* Variables that hold the address; never NULL. */
	const void *const *in_place_at;
	const void *const *status_ignore, *const *statuses_ignore;
	const void *const *f08_status_ignore, *const *f08_statuses_ignore;
};

extern struct mpi_fortran mpi_fortran; /* set before any Fortran call */

void mpi_fortran_find(void);

/* mpi_enter, mpi_begin, mpi_end and mpi_leave for calls that are not frequent:
   one copy of each, in next.c. */
bool mpi_call_enter(struct mpi_call *call, uint32_t function,
    const void *address, const void *here, struct mpi_look look);
void mpi_call_begin(struct mpi_call *call);
void mpi_call_end(struct mpi_call *call);
void mpi_call_leave(struct mpi_call *call);

/* Member by member: a large struct as a whole is cleared by a string
   instruction, which takes longer than all the rest of a wrapper; and what the
   hooks of a call do not look at is then not even there. */
static MPI_INLINE void
mpi_args_clear(struct mpi_args *args)
{
	args->in_place = false;
	args->count = 0;
	args->count2 = 0;
	args->type = 0;
	args->type2 = 0;
	args->peer = 0;
	args->peer2 = 0;
	args->tag = 0;
	args->tag2 = 0;
	args->comm = 0;
	args->counts = NULL;
	args->counts2 = NULL;
	args->types = NULL;
	args->types2 = NULL;
	args->count_width = 0;
	args->requests = NULL;
	args->request_count = 0;
	args->fortran = false;
	args->status = NULL;
	args->status_ignored = false;
	args->flag = NULL;
	args->index = NULL;
	args->outcount = NULL;
	args->indices = NULL;
	args->index_base = 0;
	args->made = NULL;
	args->other = NULL;
	args->number = 0;
}

/* Arguments of C. */

static inline void
mpi_args_c(struct mpi_args *args, bool large)
{
	mpi_args_clear(args);
	args->count_width = large ? 8 : 4;
}

/* The same for point-to-point calls: what tells hooks what there is. */
static inline void
mpi_args_message(struct mpi_args *args)
{
	args->peer = args->tag = 0;
	args->comm = 0;
	args->requests = NULL;
	args->request_count = 0;
	args->fortran = false;
	args->status_ignored = false;
	args->status = NULL;
	args->flag = args->index = args->outcount = NULL;
	args->indices = NULL;
	args->index_base = 0;
	args->made = NULL;
}

static inline int32_t
mpi_c_int(mpi_word a)
{
	return (int32_t)a;
}

static inline int64_t
mpi_c_long(mpi_word a)
{
	return (int64_t)a;
}

static inline mpi_handle
mpi_c_handle(mpi_word a)
{
	return a & mpi_abi.handle_mask;
}

/* Of files, which are pointers everywhere. */
static inline mpi_handle
mpi_c_file(mpi_word a)
{
	return a;
}

static inline mpi_handle
mpi_c_freed(mpi_word a)
{
	return mpi_handle_at((const void *)a);
}

static inline mpi_handle
mpi_c_freed_file(mpi_word a)
{
	return *(const mpi_handle *)a;
}

static inline bool
mpi_c_in_place(mpi_word a)
{
	return a == mpi_abi.in_place;
}

static inline bool
mpi_c_status_ignored(mpi_word a)
{
	return a == mpi_abi.status_ignore;
}

static inline bool
mpi_c_statuses_ignored(mpi_word a)
{
	return a == mpi_abi.statuses_ignore;
}

/* Arguments of Fortran: all are addresses. */

static inline bool
mpi_form_fortran(enum mpi_form form)
{
	return form >= MPI_FORM_F;
}

static inline bool
mpi_form_f08(enum mpi_form form)
{
	return form >= MPI_FORM_F08;
}

static inline bool
mpi_form_large(enum mpi_form form)
{
	return form == MPI_FORM_F08_LARGE || form == MPI_FORM_F08TS_LARGE;
}

static inline void
mpi_args_fortran(struct mpi_args *args, enum mpi_form form)
{
	*args = (struct mpi_args){
		.count_width = mpi_form_large(form) ? 8 : 4,
		.fortran = true,
		.index_base = mpi_form_f08(form) ? mpi_abi.f08_index_base : 1,
	};
}

static inline int32_t
mpi_f_int(mpi_word a)
{
	return *(const int32_t *)a;
}

static inline int64_t
mpi_f_long(mpi_word a)
{
	return *(const int64_t *)a;
}

static inline int64_t
mpi_f_count(mpi_word a, enum mpi_form form)
{
	return mpi_form_large(form) ? mpi_f_long(a) : mpi_f_int(a);
}

/* NULL converts nothing: the handles of C are the same. */
static inline mpi_handle
mpi_f_handle(mpi_word a, mpi_handle (*f2c)(int))
{
	return f2c == NULL ? *(const uint32_t *)a : f2c(mpi_f_int(a));
}

bool mpi_f_in_place(mpi_word a, enum mpi_form form);
bool mpi_f_status_ignored(mpi_word a, enum mpi_form form);
bool mpi_f_statuses_ignored(mpi_word a, enum mpi_form form);

#endif
