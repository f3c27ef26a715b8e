/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/run_private.h - one run of eventspace-run
 */

#ifndef LIBPATHS_RUN_RUN_PRIVATE_H
#define LIBPATHS_RUN_RUN_PRIVATE_H

#include "libpaths/launch/setup_private.h"
#include "libpaths/map.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* The file with the servers for event scopes (host_main.c).  It is written when
   all programs have been started: lines "HOST ADDRESS PORT [WHY]", where port 0
   is that of none, and first "ports LOW-HIGH" if the ports are limited. */
#define RUN_SERVERS_FILE "servers"

/* The order is that of main_launcher. */
enum run_how { RUN_LOCAL, RUN_SSH, RUN_SRUN, RUN_MPIRUN, RUN_COMMAND };

/* An endpoint whose port is not in the map. */
struct run_socket {
	uint32_t process;
	uint32_t listen; /* index of the endpoint in the process */
	int fd;		 /* local: is open before the process runs; else -1 */
	uint16_t port;
};

/* The run directory, in memory that the processes of guard.c share. */
struct run_dir {
	char name[PATH_MAX]; /* absolute */
	_Atomic bool made;   /* name is valid; written by the starter */
};

/* A child process: a process of the map, the launcher of one (ssh, srun), or
   the launcher of all processes (mpirun). */
struct run_job {
	const char *name;
	pid_t pid;
	bool running;
	int status; /* when it does not run any more */
};

/* The output of processes, to standard output or standard error. */
struct run_output {
	int fd;
	struct launch_bytes queue;
	bool closed; /* nobody reads it */
};

/* The output of one process, of which the last line is not complete. */
struct run_lines {
	const char *label; /* NULL: lines are passed on as they are */
	struct run_output *to;
	struct launch_bytes part;
};

/* A file that an agent sends. */
struct run_receive {
	FILE *file; /* NULL: none, or it could not be written */
	char name[NAME_MAX + 1];
	char made[PATH_MAX + NAME_MAX + 2]; /* its file until it is whole */
	uint64_t at, size;
	int error; /* of a write; 0: none */
	bool begun;
};

/* State of a process of another host. */
enum run_state {
	RUN_STATE_AWAITED,    /* its agent has not come */
	RUN_STATE_GREETED,    /* its agent has the settings */
	RUN_STATE_READY,      /* its sockets are open */
	RUN_STATE_STARTED,    /* its program was started, or will be */
	RUN_STATE_EXITED,     /* its program has ended */
	RUN_STATE_COLLECTING, /* its agent copies files */
	RUN_STATE_COLLECTED,
	RUN_STATE_DISMISSED, /* its agent may end */
	RUN_STATE_LOST	     /* its agent is gone or has failed */
};

/* A process of another host, and the channel to its agent. */
struct run_agent {
	const char *name; /* of the process */
	uint32_t process;
	enum run_state state;
	struct launch_channel channel;
	bool has_channel;
	struct run_job *job; /* that starts the process */
	char *folder;	     /* run directory on the host */
	bool runs;	     /* its program was started */
	bool has_server; /* its agent has started one for scopes, or failed */
	uint16_t server_port; /* of the server; 0: it does not listen */
	char server_why[128]; /* reason for that */
	bool owner;	      /* its agent made the directory */
	bool sees;	      /* it uses the run directory of the launcher */
	bool incomplete;      /* a file was not copied */
	uint64_t lost_ns;     /* time of a loss to be reported; 0: none */
	struct run_lines lines[2];
	struct run_receive receive;
};

struct run {
	/* Values of the command line. */
	const char *map_file;
	const char *dir_given; /* NULL: named after the map and the time */
	char *launcher_text;   /* memory of the words of launcher */
	char **launcher; /* words such as "ssh", "-p", "22", ended by NULL */
	enum run_how how;
	struct launch_ports ports;
	const char *host_dir;	/* folder for run directories; NULL: any */
	const char *directory;	/* working directory on hosts; NULL: cwd */
	const char *agent_file; /* run-agent on hosts; NULL: as here */
	uint64_t wait_ns;	/* for the agents of hosts */
	uint64_t grace_ns;
	bool alone;	/* a process that fails does not end the others */
	uint64_t space; /* bytes for the rings of a process; 0: not given */
	bool leave;	/* files stay on their hosts */
	bool plain;	/* output of other hosts gets no labels */
	bool label;	/* output of this machine gets labels, too */
	bool quiet;
	char **program; /* with its arguments, ended by NULL */

	struct paths_map *map;
	struct run_dir *dir;
	char cwd[PATH_MAX];
	char id[LAUNCH_ID_BYTES];
	uint8_t secret[LAUNCH_SECRET_BYTES];
	struct run_socket *sockets;
	size_t socket_room;
	uint32_t socket_count;
	struct run_job *jobs;
	uint32_t job_count;
	struct run_agent *agents; /* one for each process of the map */
	struct run_output outputs[2];
	uint32_t failed; /* number of processes that failed */
	bool ends_all;	 /* the processes were sent a signal */
};

#endif
