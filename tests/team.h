/* SPDX-License-Identifier: MIT */
/*
 * tests/team.h - several processes of one map, forked by a test
 *
 * team_open keeps a run directory with a secret.  Every "tcp:0" of the map
 * becomes a port that is free on the loopback; the socket is passed on, as
 * `eventspace run` does.
 */

#ifndef TESTS_TEAM_H
#define TESTS_TEAM_H

#include "libpaths/program.h"

#include <sys/types.h>

struct team;

/* What a process does; its answer is the process's exit status. */
typedef int team_main(struct paths_program *program, const char *process);

struct team *team_open(const char *map);

/* Fork a process of the map; without a body it only serves. */
pid_t team_start(struct team *team, const char *process, team_main *body);

/* The same, but the process opens the map itself (to fail, or in pieces). */
pid_t team_fork(struct team *team, const char *process, int (*body)(void));

/* Be a process of the map in this very process. */
struct paths_program *team_join(struct team *team, const char *process);

/* How a process ended: its exit status, or 1000 + the signal. */
int team_wait(pid_t pid);

const char *team_run(const struct team *team);

/* Remove the run directory; all processes have ended. */
void team_close(struct team *team);

#endif
