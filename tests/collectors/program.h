/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/program.h - a program of one process with collectors
 */

#ifndef TESTS_COLLECTORS_PROGRAM_H
#define TESTS_COLLECTORS_PROGRAM_H

#include "collectors/monitor.h"

#include "libpaths/log.h"
#include "libpaths/path.h"

#include "tests/team.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

#define PROGRAM_HEAD \
	"pathmap 1\n" \
	"plugin libcollectors.so.0\n" \
	"host h0\n" \
	"process p0 -host h0\n"

struct program {
	struct team *team;
	struct paths_program *program;
	struct paths_thread *thread;
	struct paths_path *path;
};

/* Opens process p0 of a map; options: of the collector on its path. */
static inline struct program
program_open(const char *options)
{
	struct program p;
	char map[1024];

	(void)snprintf(map, sizeof(map),
	    PROGRAM_HEAD "thread t0 -process p0\n"
			 "element other -process p0 -type u8\n"
			 "element e0 -process p0 -type u64 -keep 2 "
			 "-full discard\n"
			 "path t0 e0 {{collector %s} {element e0}}\n"
			 "path t0 other {{element other}}\n",
	    options);
	p.team = team_open(map);
	p.program = team_join(p.team, "p0");
	EXPECT_OK(paths_thread_open(p.program, "t0", &p.thread));
	EXPECT_OK(paths_path_open(p.thread, "e0", &p.path));
	return p;
}

static inline void
program_close(struct program *p)
{
	paths_thread_close(p->thread);
	paths_program_close(p->program);
	team_close(p->team);
}

static inline void
program_write(struct program *p, uint64_t value)
{
	EXPECT_OK(paths_path_write(p->path, &value, sizeof(value)));
}

static inline struct es_space *
program_space(const struct program *p)
{
	struct es_space *space = NULL;
	char file[256];

	(void)snprintf(file, sizeof(file), "%s/p0.space", team_run(p->team));
	EXPECT_OK(es_space_open_to_switch(file, &space));
	return space;
}

#endif
