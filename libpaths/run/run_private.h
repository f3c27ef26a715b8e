/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/run_private.h - one run of eventspace-run
 */

#ifndef LIBPATHS_RUN_RUN_PRIVATE_H
#define LIBPATHS_RUN_RUN_PRIVATE_H

#include "libpaths/map.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

/* The script in the run directory that a remote launcher starts. */
#define RUN_SCRIPT "start"

enum run_how { RUN_LOCAL, RUN_SSH, RUN_SRUN, RUN_MPIRUN };

/* A socket that is open for a process before it runs. */
struct run_socket {
	uint32_t process;
	uint32_t listen; /* index of the endpoint in the process */
	int fd;
	uint16_t port;
};

/* The run directory, in memory that the processes of guard.c share. */
struct run_dir {
	char name[PATH_MAX]; /* absolute */
	_Atomic bool made;   /* name is valid; written by the starter */
};

/* A child process: a process of the map, its launcher (ssh, srun), or the
   launcher of all processes (mpirun). */
struct run_job {
	const char *name;
	pid_t pid;
	int input; /* our end of its standard input; -1: none */
	bool running;
};

struct run {
	/* Values of the command line. */
	const char *map_file;
	const char *dir_given; /* NULL: named after the map and the time */
	char *launcher_text;   /* memory of the words of launcher */
	char **launcher; /* words such as "ssh", "-p", "22", ended by NULL */
	enum run_how how;
	uint64_t grace_ns;
	uint64_t space; /* bytes for the rings of a process; 0: not given */
	bool quiet;
	char **program; /* with its arguments, ended by NULL */

	struct paths_map *map;
	struct run_dir *dir;
	char cwd[PATH_MAX];
	struct run_socket *sockets;
	size_t socket_room;
	uint32_t socket_count;
	struct run_job *jobs;
	uint32_t job_count;
	uint32_t failed; /* number of jobs that failed */
};

#endif
