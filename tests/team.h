/* SPDX-License-Identifier: MIT */
/*
 * tests/team.h - several processes of one map, forked by a test
 *
 * team_open makes a run directory with a secret.  Each "tcp:0" of the map is
 * replaced by a free port on loopback, whose socket the processes inherit, as
 * under `eventspace run`.
 */

#ifndef TESTS_TEAM_H
#define TESTS_TEAM_H

#include "libpaths/path.h"
#include "libpaths/program.h"

#include <sys/types.h>

struct team;

/* A map in which t0 of p0 and t2 of p2 use element e of p1.  options: those of
   its first line. */
#define TEAM_CLIENTS_MAP(options) \
	"pathmap 1 " options "\n" \
	"host h0\n" \
	"process p0 -host h0\n" \
	"process p1 -host h0 -listen tcp:0\n" \
	"process p2 -host h0\n" \
	"thread t0 -process p0\n" \
	"thread t2 -process p2\n" \
	"element e -process p1 -type u64*1 -keep 4\n" \
	"path t0 e {{proxy p1 -via tcp} {element e}}\n" \
	"path t2 e {{proxy p1 -via tcp} {element e}}\n"

/* Runs in a process of the team; returns its exit status. */
typedef int team_main(struct paths_program *program, const char *process);

struct team *team_open(const char *map);

/* Forks a process of the map that runs body, or only serves if body is NULL. */
pid_t team_start(struct team *team, const char *process, team_main *body);

/* Forks a process that opens the map itself, in body. */
pid_t team_fork(struct team *team, const char *process, int (*body)(void));

/* Opens a process of the map in the calling process. */
struct paths_program *team_join(struct team *team, const char *process);

/* Open a thread, and one of its paths. */
struct paths_thread *team_thread(struct paths_program *program,
    const char *thread);
struct paths_path *team_path(struct paths_thread *thread, const char *element);

/* Waits for a process; returns its exit status, or 1000 + its signal. */
int team_wait(pid_t pid);

const char *team_run(const struct team *team);

/* Removes the run directory.  All processes must have ended. */
void team_close(struct team *team);

#endif
