/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/wrap/wrap_private.h - macros and argument conversions of
 * generated wrappers
 *
 * A wrapper takes and passes on every argument as 8 bytes.  The supported
 * machines pass integers, handles and pointers in 8 bytes each, in registers
 * and on the stack.  Hence int and MPI_Count need no separate wrappers, and
 * undefined bits of a register stay as they are.
 *
 * Each form of a procedure (C, large-count, the bindings of Fortran) calls the
 * same form of the next library, which converts handles, sentinels and
 * descriptors itself.
 */

#ifndef COLLECTORS_MPI_WRAP_WRAP_PRIVATE_H
#define COLLECTORS_MPI_WRAP_WRAP_PRIVATE_H

#include "collectors/mpi/abi/abi_private.h"
#include "collectors/mpi/abi/functions_gen.h"
#include "collectors/mpi/process/record_private.h"
#include "collectors/mpi/wrap/fortran_private.h"
#include "collectors/mpi/wrap/frame_private.h"
#include "collectors/mpi/wrap/inner_private.h"
#include "collectors/mpi/wrap/next_private.h"
#include "collectors/mpi/wrap/table_private.h"

#if UINTPTR_MAX != UINT64_MAX || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "arguments of MPI procedures are taken as 8 bytes, low half first"
#endif

#define MPI_EXPORT __attribute__((visibility("default")))
#define MPI_SHARED __attribute__((noinline))
#define MPI_CALLER __builtin_return_address(0)
#define MPI_HERE __builtin_frame_address(0)
/* Another name of a procedure, as another compiler mangles it. */
#define MPI_ALIAS(name, of) \
	extern MPI_EXPORT __typeof__(of) name __attribute__((alias(#of)))
/* A name of a procedure that no other library can take. */
#define MPI_OWN_ALIAS(name, of) \
	extern __attribute__((visibility("hidden"))) __typeof__(of) name \
	    __attribute__((alias(#of)))

/* Clears the arguments member by member: a string instruction for the whole
   structure takes longer than the rest of a wrapper, and the compiler drops the
   members that inline hooks do not read. */
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

/* Clears the members that hooks of point-to-point calls read even if the
   function has no such argument. */
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

static inline int64_t
mpi_c_count(mpi_word a, enum mpi_form form)
{
	return form == MPI_FORM_C_LARGE ? mpi_c_long(a) : mpi_c_int(a);
}

static inline mpi_handle
mpi_c_handle(mpi_word a)
{
	return a & mpi_abi.handle_mask;
}

/* Handles of files are pointers in every MPI. */
static inline mpi_handle
mpi_c_file(mpi_word a)
{
	return a;
}

/* Read the handle that a call frees, which it takes by reference. */
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

/* Arguments of Fortran, which are all addresses. */

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

/* f2c	NULL: handles of C and Fortran are the same */
static inline mpi_handle
mpi_f_handle(mpi_word a, mpi_handle (*f2c)(int))
{
	return f2c == NULL ? *(const uint32_t *)a : f2c(mpi_f_int(a));
}

#endif
