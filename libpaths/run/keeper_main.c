/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/keeper_main.c - run-keeper: runs a program on another host and
 * ends what it leaves behind
 *
 * run-keeper GRACE_NS PROGRAM [ARGS] is started by the script of script.c.  It
 * uses no library of this project, which the other host may lack.
 */

#include "libpaths/run/keep_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int
keeper_become(char **program)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execvp(program[0], program);
	fprintf(stderr, "eventspace run: %s: %s\n", program[0],
	    strerror(errno));
	return 127;
}

int
main(int argc, char **argv)
{
	const pid_t parent = getppid();
	struct run_keep keep;

	if (argc < 3) {
		fprintf(stderr, "usage: run-keeper GRACE_NS PROGRAM [ARGS]\n");
		return 2;
	}
	run_keep_init(&keep, strtoull(argv[1], NULL, 10));
	keep.limited = true;
	if (!run_keep_parent(&keep, parent))
		return 1;
	keep.child = fork();
	if (keep.child == 0)
		return keeper_become(argv + 2);
	if (keep.child < 0) {
		fprintf(stderr, "eventspace run: fork: %s\n", strerror(errno));
		return 1;
	}
	run_keep_wait(&keep);
	return WIFSIGNALED(keep.status) ? 128 + WTERMSIG(keep.status) :
					  WEXITSTATUS(keep.status);
}
