/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/spawn_private.h - starts a program in a process group of its
 * own
 */

#ifndef LIBPATHS_LAUNCH_SPAWN_PRIVATE_H
#define LIBPATHS_LAUNCH_SPAWN_PRIVATE_H

#include <limits.h>
#include <stddef.h>
#include <sys/types.h>

struct launch_spawn {
	const char *const *words; /* program and arguments, ended by NULL */
	int standard[3]; /* -1: /dev/null for input, else that of this process
			  */
	const int *kept; /* descriptors that the program inherits, too */
	size_t kept_count;
};

/* Starts a program, which gets SIGTERM when this process ends.  Returns 0 or
   the error. */
int launch_spawn(const struct launch_spawn *spawn, pid_t *pid);

/*
 * The same in two steps, because the file of a program can be slow to open.
 * launch_spawn_begin forks; *report is readable when the program runs or has
 * failed to.  launch_spawn_end then closes it and returns 0 or the error, after
 * which there is no child.
 */
int launch_spawn_begin(const struct launch_spawn *spawn, pid_t *pid,
    int *report);
int launch_spawn_end(pid_t pid, int report);

/* Finds a program in the folder of this one or, in a build tree, in the folder
   above.  If it is in neither, file is its place in the folder of this one. */
void launch_beside(const char *name, char file[PATH_MAX]);

#endif
