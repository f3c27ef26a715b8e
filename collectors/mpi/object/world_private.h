/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/world_private.h - the processes and communicators that
 * a process has met
 *
 * A process of the same world is numbered by its rank in that world.  All other
 * processes, such as spawned ones, are in one group in the order in which this
 * process met them, and are numbered from the size of the world on.  So a
 * process has the same number in all communicators.
 */

#ifndef COLLECTORS_MPI_OBJECT_WORLD_PRIVATE_H
#define COLLECTORS_MPI_OBJECT_WORLD_PRIVATE_H

#include "collectors/mpi/abi/args_private.h"
#include "collectors/mpi/base/log_private.h"

#include <pthread.h>

struct mpi_comm;
struct mpi_made;

struct mpi_world {
	pthread_mutex_t lock; /* protects all below but generation, groups_freed
				 and log */
	_Atomic uint32_t generation; /* grows when a communicator is removed */
	_Atomic uint32_t groups_freed; /* by the program */
	struct mpi_log *log;
	mpi_handle group;
	int32_t size;
	mpi_handle others; /* the group of all other processes; 0: none yet */
	int32_t other_count;
	uint32_t next_id;      /* of a communicator */
	struct mpi_made *made; /* counts communicators without a parent;
				  comm_make.c */
	/* The table of communicators, comm_table.c. */
	uint32_t count, bucket_count; /* bucket_count: a power of two */
	struct mpi_comm **buckets;
};

/*
 * Opens the world of a process: that of MPI_COMM_WORLD, or of the session that
 * began last.
 *
 * session	whether the process never called MPI_Init
 * size		of the world
 */
paths_status mpi_world_open(bool session, int32_t size, struct mpi_log *log,
    struct mpi_world **world) PATHS_CHECKED;

/* Ends a world and all its communicators, while MPI still runs. */
void mpi_world_close(struct mpi_world *world);

/* Keeps the group "mpi://WORLD" of a session that began.  world: of a process
   that never called MPI_Init, or NULL. */
void mpi_world_set_session_group(struct mpi_world *world, mpi_handle group);

/* Returns the group of the latest session; 0: there is none. */
mpi_handle mpi_world_session_group(void);

#endif
