/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/program_private.h - what one process of a map consists of
 */

#ifndef LIBPATHS_ENGINE_PROGRAM_PRIVATE_H
#define LIBPATHS_ENGINE_PROGRAM_PRIVATE_H

#include "libpaths/engine/path_private.h"
#include "libpaths/program.h"

#define PATHS__SECRET_BYTES 32

struct paths__client;
struct paths__loop;
struct paths__proxy;
struct paths__server;

/* One stage of this process. */
struct paths__instance {
	void *state; /* NULL: lives in another process */
	bool served; /* operations without a thread pass here */
};

struct paths_program {
	struct paths_map *map;
	uint32_t process; /* this one */
	char *run;	  /* run directory; NULL */
	uint8_t secret[PATHS__SECRET_BYTES];
	bool has_secret;
	bool has_threads; /* of the map: not the loop alone runs operations */
	struct paths__instance *instances; /* as the map numbers them */
	struct paths_thread *threads;	   /* as the map numbers them */
	struct paths__loop *loop;	   /* NULL: nothing is served */
	struct paths__server *server;	   /* NULL: nobody comes in */
	_Atomic uint32_t draining;	   /* inner paths that still send */
	struct paths__client *clients;	   /* outward, a list */
	void *client_tree;		   /* the same, by key */
	size_t frame_max;		   /* bytes of the longest frame */
	struct paths__proxy **proxies;	   /* by item; NULL elsewhere */
};

/* "process p1: stage sum1 of path t0 total: " into text; its length. */
int paths__program_place(const struct paths_program *program, uint32_t item,
    char *text, size_t bytes);

/* What runs at an item: self for down and up. */
void *paths__program_port(const struct paths_program *program, uint32_t item);

/* Whether operations without a thread pass an item of this process. */
bool paths__program_served(const struct paths_program *program, uint32_t item);

/* The topology of this host, as NAME.topology in the run directory. */
void paths__place_save(const struct paths_program *program);

/* Bind the calling thread to a core. */
paths_status paths__place_bind(uint32_t core);

#endif
