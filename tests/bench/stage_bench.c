/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/stage_bench.c - cost of a stage that only counts
 *
 * The reference is two indirect calls, because a stage has a down and an up.
 */

#include "libpaths/log.h"
#include "libpaths/path.h"
#include "tests/bench/bench.h"
#include "tests/team.h"

#include <stdio.h>
#include <stdlib.h>

#define STAGES 16

struct look {
	uint64_t count;
};

static enum paths_pass
look_down(void *self, struct paths_op *op, uint64_t *slot)
{
	struct look *l = self;

	(void)op;
	*slot = ++l->count;
	return PATHS_PASS_ON;
}

static void
look_up(void *self, struct paths_op *op, uint64_t *slot)
{
	struct look *l = self;

	(void)op;
	l->count += *slot & 1;
}

static const struct paths_stage_ops look_ops = {
	.abi = PATHS_STAGE_ABI,
	.name = "look",
	.about = "count what passes",
	.example = "look",
	.size = sizeof(struct look),
	.down = look_down,
	.up = look_up,
};

static void
write_loop(void *to, unsigned n)
{
	uint64_t tuple = 0;

	while (n-- > 0)
		if (paths_path_write(to, &tuple, sizeof(tuple)) != PATHS_OK)
			exit(1);
}

/* The two functions of 16 stages, called without a path. */
static struct {
	const struct paths_stage_ops *ops;
	struct look look;
	uint64_t slot;
} bare[STAGES];

static void
bare_loop(void *to, unsigned n)
{
	while (n-- > 0) {
		for (unsigned i = 0; i < STAGES; i++)
			bare[i].ops->down(&bare[i].look, to, &bare[i].slot);
		for (unsigned i = STAGES; i-- > 0;)
			bare[i].ops->up(&bare[i].look, to, &bare[i].slot);
	}
}

static struct paths_path *
path_of(const char *thread, struct paths_program *program)
{
	struct paths_thread *t;
	struct paths_path *path;

	if (paths_thread_open(program, thread, &t) != PATHS_OK ||
	    paths_path_open(t, "out", &path) != PATHS_OK)
		exit(1);
	return path;
}

int
main(void)
{
	struct paths_program *program;
	struct team *team;
	struct bench loops[3];
	char map[1024];
	int n;

	if (paths_stage_register(&look_ops) != PATHS_OK)
		return 1;
	n = sprintf(map,
	    "pathmap 1\nhost h\nprocess p -host h\n"
	    "thread t0 -process p\nthread t16 -process p\n"
	    "element out -process p -type u64*1 -full discard\n"
	    "path t0 out {{element out}}\n"
	    "path t16 out {");
	for (unsigned i = 0; i < STAGES; i++)
		n += sprintf(map + n, "{look} ");
	sprintf(map + n, "{element out}}\n");
	team = team_open(map);
	program = team_join(team, "p");
	for (unsigned i = 0; i < STAGES; i++)
		bare[i].ops = paths_stage_find("look");
	loops[0] = (struct bench){ "16 bare pairs of indirect calls", bare_loop,
		program, 20000 };
	loops[1] = (struct bench){ "write, 16 stages", write_loop,
		path_of("t16", program), 20000 };
	loops[2] = (struct bench){ "write, no stage", write_loop,
		path_of("t0", program), 20000 };
	bench_run(loops, 3, 100);
	paths_program_close(program);
	team_close(team);
	return 0;
}
