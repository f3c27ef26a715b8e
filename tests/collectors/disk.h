/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/disk.h - a disk that is soon full
 */

#ifndef TESTS_COLLECTORS_DISK_H
#define TESTS_COLLECTORS_DISK_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mount.h>

/*
 * Mounts a file system of 256 KiB on a folder, for this process and its
 * children alone; it is unmounted when they have ended.  Returns false if
 * mounting is not allowed here.
 */
static inline bool
disk_mount(const char *folder)
{
	return unshare(CLONE_NEWNS) == 0 &&
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	    mount("none", folder, "tmpfs", 0, "size=256k") == 0;
}

#endif
