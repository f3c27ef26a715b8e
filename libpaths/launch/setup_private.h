/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/setup_private.h - the settings of a process, from the
 * launcher to its agent
 */

#ifndef LIBPATHS_LAUNCH_SETUP_PRIVATE_H
#define LIBPATHS_LAUNCH_SETUP_PRIVATE_H

#include "libpaths/launch/channel_private.h"
#include "libpaths/launch/socket_private.h"
#include "libpaths/map.h"

#define LAUNCH_SECRET_BYTES 32
#define LAUNCH_ID_BYTES 33 /* hexadecimal digits of an id, and its end */

/* Arguments of a program, and variables that the launcher sets, at most. */
#define LAUNCH_WORDS_MAX 65536

/* Settings.  Texts of the agent are on the heap. */
struct launch_setup {
	char *process;		  /* its name */
	char *run;		  /* run directory on the launcher's host */
	char *base;		  /* folder for run directories; "": TMPDIR */
	char *directory;	  /* working directory */
	char id[LAUNCH_ID_BYTES]; /* random, of the run */
	uint64_t grace_ns, silence_ns;
	struct launch_ports ports;
	uint8_t secret[LAUNCH_SECRET_BYTES];
	char **words; /* of the program, ended by NULL */
	size_t word_count, word_room;
	char *endpoints[PATHS_MAP_LISTEN_MAX]; /* addresses to listen at */
	size_t endpoint_count;
};

/* Launcher: queues the settings but the words, variables and endpoints. */
void launch_setup_send(struct launch_channel *c,
    const struct launch_setup *setup);

/* Agent: take the contents of frames.  Return false when they are wrong. */
bool launch_setup_take(struct launch_setup *setup, struct launch_get *get);
bool launch_setup_take_word(struct launch_setup *setup, struct launch_get *get);
bool launch_setup_take_endpoint(struct launch_setup *setup,
    struct launch_get *get);

/* Sets a variable of this process, whose value begins behind "=". */
bool launch_setup_take_variable(struct launch_get *get);

/* Returns true when all is there that a process needs. */
bool launch_setup_is_whole(const struct launch_setup *setup);

void launch_setup_fini(struct launch_setup *setup);

#endif
