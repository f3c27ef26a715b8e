/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/run_private.h - how eventspace-run starts the processes of a map
 *
 *	run_main.c	the command line, and the order of all this
 *	dir.c	the run directory: secret, map as used, cleaning
 *	listen.c	sockets at ports of the system's choice
 *	script.c	what starts a process on another host
 *	start.c	one command for each process, by one of the launchers
 *	wait.c	wait, pass signals on, end what is left
 *
 * Errors are said where they happen, by run_fail.
 */

#ifndef LIBPATHS_RUN_RUN_PRIVATE_H
#define LIBPATHS_RUN_RUN_PRIVATE_H

#include "libpaths/map.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

enum run_how { RUN_LOCAL, RUN_SSH, RUN_SRUN, RUN_MPIRUN };

/* A socket that is open for a process before it runs. */
struct run_socket {
	uint32_t process;
	uint32_t listen; /* which of its endpoints */
	int fd;
	uint16_t port;
};

/* What was started: a process of the map or a launcher of several. */
struct run_job {
	const char *name;
	pid_t pid;
	int input; /* its standard input, held open; or -1 */
	bool running;
};

struct run {
	/* As the command line has it. */
	const char *map_file;
	const char *dir_given; /* NULL: named after the map and the time */
	char *launcher_text;
	char **launcher; /* its words, ended by NULL: ssh -p 22 */
	enum run_how how;
	uint64_t grace_ns;
	bool quiet;
	char **program; /* and its arguments, ended by NULL */

	struct paths_map *map;
	char dir[PATH_MAX]; /* absolute */
	char cwd[PATH_MAX];
	bool has_dir;
	struct run_socket *sockets;
	uint32_t socket_count;
	struct run_job *jobs;
	uint32_t job_count;
	uint32_t failed;
};

/* Say "eventspace run: ..." on standard error; false. */
bool run_fail(const char *fmt, ...) PATHS_PRINTF(1, 2);

/* ---- dir.c */

/* Make the directory, with a secret in it. */
bool run_dir_make(struct run *run);

/* Write RUN/NAME; false, and it is said why. */
bool run_dir_write(const struct run *run, const char *name, int mode,
    const void *bytes, size_t count);

/* Write the map with the ports of run->sockets. */
bool run_dir_write_map(const struct run *run);

/* Whether every process with collectors left its event space; says which one
   did not.  For processes of this machine. */
bool run_dir_check(const struct run *run);

/* Remove the secret, the sockets and what only starting took. */
void run_dir_clean(const struct run *run);

/* ---- listen.c */

bool run_listen_open(struct run *run);
void run_listen_close(struct run *run);

/* "tcp:127.0.0.1:40123" */
#define RUN_ENDPOINT_BYTES (PATHS_MAP_NAME_BYTES_MAX + 16)
char *run_listen_text(const struct run *run, const struct run_socket *socket,
    char text[RUN_ENDPOINT_BYTES]);

/* ---- script.c */

/* What a remote launcher starts, in the run directory. */
#define RUN_SCRIPT "start"

bool run_script_write(const struct run *run);

/* A word as a shell takes it. */
void run_script_word(FILE *to, const char *word);

/* ---- start.c */

/* Start all; what was started before a failure is in run->jobs. */
bool run_start(struct run *run);

/* ---- wait.c */

/* Signals that end the run are to be blocked from before run_start. */
void run_wait_block(void);

/* Wait for all jobs; `end` ends them at once. */
void run_wait(struct run *run, bool end);

#endif
