/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/abi/abi_private.h - the MPI of this process, without its mpi.h
 *
 * The first call of an MPI procedure finds the MPI, which then never changes.
 * Where there is no known MPI, or more than one, every call is passed on and
 * nothing is recorded.
 *
 * Handles are passed as 8 bytes.  The bits above the width of the handles of
 * this MPI are undefined in calls, so mpi_handle values are masked.
 *
 * Source: the MPI standard; the ABI that MPI-5 defines; the mpi.h of each MPI.
 */

#ifndef COLLECTORS_MPI_ABI_ABI_PRIVATE_H
#define COLLECTORS_MPI_ABI_ABI_PRIVATE_H

#include "collectors/mpi/abi/args_private.h"
#include "collectors/mpi/abi/attribute_private.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

/* es_mpi_control.abi. */
enum mpi_abi_row {
	MPI_ABI_NONE, /* not found yet, or not known */
	MPI_ABI_OPEN_MPI,
	MPI_ABI_MPICH,
	MPI_ABI_STANDARD, /* that of MPI-5 */
	MPI_ABI_SMPI,	  /* SimGrid */
	MPI_ABI_ROWS
};

/* Procedures that the interposer calls, by their PMPI_ names.  NULL: this MPI
   lacks the procedure; for a conversion: handles of C and Fortran are equal. */
struct mpi_procedures {
	int (*initialized)(int *flag);
	int (*finalized)(int *flag);
	int (*query_thread)(int *level);
	int (*get_library_version)(char *text, int *length);
	int (*comm_rank)(mpi_handle comm, int *rank);
	int (*comm_size)(mpi_handle comm, int *size);
	int (*comm_remote_size)(mpi_handle comm, int *size);
	int (*comm_test_inter)(mpi_handle comm, int *inter);
	int (*comm_group)(mpi_handle comm, mpi_handle *group);
	int (*comm_remote_group)(mpi_handle comm, mpi_handle *group);
	int (*comm_get_parent)(mpi_handle *comm);
	int (*comm_get_name)(mpi_handle comm, char *name, int *length);
	int (*group_size)(mpi_handle group, int *size);
	int (*group_rank)(mpi_handle group, int *rank);
	int (*group_incl)(mpi_handle group, int n, const int *ranks,
	    mpi_handle *some);
	int (*group_union)(mpi_handle group1, mpi_handle group2,
	    mpi_handle *both);
	int (*group_from_session_pset)(mpi_handle session, const char *name,
	    mpi_handle *group);
	int (*group_translate_ranks)(mpi_handle group1, int n,
	    const int *ranks1, mpi_handle group2, int *ranks2);
	int (*group_free)(mpi_handle *group);
	int (*win_get_group)(mpi_handle win, mpi_handle *group);
	int (*file_get_group)(mpi_handle file, mpi_handle *group);
	int (*topo_test)(mpi_handle comm, int *kind);
	int (*cartdim_get)(mpi_handle comm, int *dimensions);
	int (*cart_shift)(mpi_handle comm, int direction, int step, int *source,
	    int *target);
	int (*graph_neighbors_count)(mpi_handle comm, int rank, int *count);
	int (*graph_neighbors)(mpi_handle comm, int rank, int most,
	    int *neighbors);
	int (*dist_graph_neighbors_count)(mpi_handle comm, int *sources,
	    int *targets, int *weighted);
	int (*dist_graph_neighbors)(mpi_handle comm, int most_sources,
	    int *sources, int *source_weights, int most_targets, int *targets,
	    int *target_weights);
	int (*type_size)(mpi_handle type, int *size);
	int (*type_size_x)(mpi_handle type, int64_t *size);
	int (*type_get_envelope)(mpi_handle type, int *integers, int *addresses,
	    int *types, int *combiner);
	int (*get_count)(const void *status, mpi_handle type, int *count);
	int (*get_elements_x)(const void *status, mpi_handle type,
	    int64_t *count);
	int (*test_cancelled)(const void *status, int *flag);
	int (*error_class)(int code, int *class);
	mpi_handle (*comm_f2c)(int comm);
	mpi_handle (*request_f2c)(int request);
	mpi_handle (*message_f2c)(int message);
	mpi_handle (*type_f2c)(int type);
	mpi_handle (*win_f2c)(int win);
	mpi_handle (*file_f2c)(int file);
	mpi_handle (*group_f2c)(int group);
	mpi_handle (*op_f2c)(int op);
	mpi_handle (*session_f2c)(int session);
};

/* The constants and procedures of this MPI. */
struct mpi_abi {
	enum mpi_abi_row row;
	const char *name;
	uint32_t handle_bytes; /* except files, which are pointers */
	mpi_handle handle_mask;
	mpi_handle comm_world, comm_self, comm_null;
	mpi_handle request_null, message_null, message_no_proc;
	mpi_handle group_null, win_null, file_null, type_null;
	mpi_handle type_byte, op_no_op;
	int32_t any_source, any_tag, proc_null, root, undefined;
	int32_t lock_exclusive; /* type of lock of MPI_Win_lock */
	uintptr_t status_ignore, statuses_ignore, in_place;
	uint32_t status_bytes;				  /* also in an array */
	uint32_t status_source, status_tag, status_error; /* offsets */
	/* Offset of the size of the message, which has 8 bytes; 0: unknown,
	   MPI_Get_count is called. */
	uint32_t status_count;
	int32_t error_in_status; /* code of MPI_ERR_IN_STATUS */
	int32_t combiner_named;	 /* of predefined datatypes */
	int32_t topo_graph, topo_cart, topo_dist_graph;
	int32_t thread_step;	/* between thread levels, from 0 */
	int32_t f08_index_base; /* of indices that are returned */
	bool plain; /* no collective of C calls others by MPI_ names */
	struct mpi_procedures call;
	char library[128]; /* the first line of its version */
};

/* Constant after the first call of an MPI procedure. */
extern struct mpi_abi mpi_abi MPI_OWN;

/* Fills in mpi_abi, once.  Each thread calls this before its first call is
   passed on. */
void mpi_abi_find(void);

/* Returns whether MPI_Init was called and MPI_Finalize was not.  Asks MPI. */
bool mpi_is_running(void);

static inline int32_t
mpi_status_word(const void *status, uint32_t offset)
{
	int32_t word;

	memcpy(&word, (const char *)status + offset, sizeof(word));
	return word;
}

static inline int32_t
mpi_status_source(const void *status)
{
	return mpi_status_word(status, mpi_abi.status_source);
}

static inline int32_t
mpi_status_tag(const void *status)
{
	return mpi_status_word(status, mpi_abi.status_tag);
}

/* Set only when the call returned error_in_status. */
static inline int32_t
mpi_status_error(const void *status)
{
	return mpi_status_word(status, mpi_abi.status_error);
}

/* Reads a handle of C from memory. */
static inline mpi_handle
mpi_handle_at(const void *place)
{
	uint32_t half;
	mpi_handle whole;

	if (mpi_abi.handle_bytes == sizeof(half)) {
		memcpy(&half, place, sizeof(half));
		return half;
	}
	memcpy(&whole, place, sizeof(whole));
	return whole;
}

/* Returns handle n of an array, as a handle of C. */
static inline mpi_handle
mpi_handle_in(const void *array, int64_t n, bool fortran,
    mpi_handle (*f2c)(int))
{
	int32_t number;

	if (!fortran)
		return mpi_handle_at(
		    (const char *)array + n * mpi_abi.handle_bytes);
	memcpy(&number, (const char *)array + n * 4, sizeof(number));
	return f2c == NULL ? (uint32_t)number : f2c(number);
}

/* Returns handle n of an array of a call, as a handle of C. */
static inline mpi_handle
mpi_args_handle(const struct mpi_args *args, const void *array, int64_t n,
    mpi_handle (*f2c)(int))
{
	return mpi_handle_in(array, n, args->fortran, f2c);
}

/* Returns request n of a call. */
static inline mpi_handle
mpi_args_request(const struct mpi_args *args, int64_t n)
{
	return mpi_args_handle(args, args->requests, n,
	    mpi_abi.call.request_f2c);
}

/* Return the communicator, window or file that a call made. */
static inline mpi_handle
mpi_args_made_comm(const struct mpi_args *args)
{
	return mpi_args_handle(args, args->made, 0, mpi_abi.call.comm_f2c);
}

static inline mpi_handle
mpi_args_made_win(const struct mpi_args *args)
{
	return mpi_args_handle(args, args->made, 0, mpi_abi.call.win_f2c);
}

mpi_handle mpi_args_made_file(const struct mpi_args *args);

/* Returns count n of an array of counts of `width` bytes. */
static inline int64_t
mpi_count_in(const void *counts, int64_t n, uint32_t width)
{
	int32_t half;
	int64_t whole;

	if (width == sizeof(half)) {
		memcpy(&half, (const char *)counts + n * 4, sizeof(half));
		return half;
	}
	memcpy(&whole, (const char *)counts + n * 8, sizeof(whole));
	return whole;
}

#endif
