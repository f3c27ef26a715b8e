/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stage.h - what a stage is
 *
 * A stage is a table of functions.  The path allocates `size` zeroed bytes,
 * calls open, then down and up of one operation at a time for each path that
 * passes, then close once, also after a failed open.  What must be remembered
 * between the two passes of one operation goes into its slot.
 *
 * A shared stage (PATHS_STAGE_JOIN, an element) is one instance that several
 * chains enter.  Each of them has an input, numbered from 0 in the order of
 * the map, and down, up, cancel and lost get port(self, input) as their self.
 */

#ifndef LIBPATHS_STAGE_H
#define LIBPATHS_STAGE_H

#include "libpaths/op.h"
#include "libpaths/type.h"

#include <stdbool.h>

/* Moves whenever struct paths_stage_ops or a promise about it changes. */
#define PATHS_STAGE_ABI 1u

/* Flags of a stage. */
#define PATHS_STAGE_JOIN 1u   /* has inputs and a tail (-inputs, -next) */
#define PATHS_STAGE_END 2u    /* turns every operation: last of its chain */
#define PATHS_STAGE_BEHIND 4u /* the rest of its chain runs on its own */
#define PATHS_STAGE_SIDE 8u   /* has a second chain, given as an option */

/* What an option of a stage takes. */
enum paths_option_kind {
	PATHS_OPTION_WORD,   /* any word */
	PATHS_OPTION_COUNT,  /* a whole number from 0 */
	PATHS_OPTION_BYTES,  /* 4096, 64K, 1MiB: PATHS_UNIT_BYTES */
	PATHS_OPTION_TIME,   /* 500us, 1.5s: PATHS_UNIT_TIME; kept in ns */
	PATHS_OPTION_RATE,   /* 100M: PATHS_UNIT_RATE */
	PATHS_OPTION_TYPE,   /* a tuple type */
	PATHS_OPTION_CHOICE, /* one of the words in `choices` */
	PATHS_OPTION_CHAIN   /* a chain of its own, see PATHS_STAGE_SIDE */
};

#define PATHS_OPTION_REQUIRED 1u

/*
 * One option of a stage.  A name without "-" is positional: the words that
 * are no option fill such names in order.
 */
struct paths_option {
	const char *name; /* "-op" or "time"; NULL ends a list */
	enum paths_option_kind kind;
	uint32_t flags;
	const char *choices;	  /* CHOICE: "sum|min|max" */
	const char *default_text; /* NULL: absent unless given */
	const char *about;
};

struct paths_program;
struct paths_map_item;

/* Where a stage stands and what it was given; lent for the time of open. */
struct paths_stage_env {
	struct paths_program *program;
	const struct paths_map_item *item; /* its first place in the map */
	uint32_t instance;	 /* its number in the map, as views call it */
	uint32_t inputs;	 /* shared stages: how many chains enter */
	struct paths_type above; /* tuples that come from above */
	struct paths_type below; /* tuples that go further down */
	bool served;		 /* operations of other processes pass here */
};

typedef void paths_stat_emit(void *to, unsigned counter, uint64_t value);

struct paths_stage_ops {
	uint32_t abi; /* PATHS_STAGE_ABI */
	const char *name;
	const char *about;   /* one line */
	const char *example; /* as a chain has it: "delay 1us" */
	uint32_t flags;
	size_t size;			    /* of the stage's state */
	const struct paths_option *options; /* NULL: takes no words */

	/* The types above and below; NULL: the same, whatever it is.  A map
	   is checked with it before anything is opened.  On entry both are
	   the type below, as far as that is known. */
	paths_status (*types)(const struct paths_map_item *item,
	    uint32_t inputs, struct paths_type *above,
	    struct paths_type *below);
	paths_status (*open)(void *self, const struct paths_stage_env *env);
	void *(*port)(void *self, uint32_t input);
	enum paths_pass (
	    *down)(void *self, struct paths_op *op, uint64_t *slot);
	void (*up)(void *self, struct paths_op *op, uint64_t *slot);

	/* Give a parked operation back: true when it was still here and will
	   not be resumed; its up is then run with op->status set.  False: not
	   here (any more); it is being resumed, or is elsewhere.  op is only
	   compared, never looked into. */
	bool (*cancel)(void *self, struct paths_op *op, uint64_t *slot);

	/* The chain above has ended: `why` is NULL when it closed in good
	   order, else why its process is gone.  Comes once for each input. */
	void (*lost)(void *self, const char *why);
	void (*stat)(const void *self, paths_stat_emit *emit, void *to);
	void (*close)(void *self);
};

/*
 * What a plugin exports under the name `paths_plugin`: its stages, ended by
 * NULL.  `abi` is checked before anything else is read.
 */
struct paths_plugin {
	uint32_t abi; /* PATHS_STAGE_ABI */
	const char *name;
	const struct paths_stage_ops *const *stages;
};

/*
 * paths_stage_register - make a kind of stage known to maps
 *
 * Returns	PATHS_OK; also when this very table is known already
 *		PATHS_EABI	made for another version
 *		PATHS_EBUSY	another stage has the name
 *		PATHS_EINVAL	no name, or no down
 *		PATHS_ENOMEM
 * Ownership	keeps a reference to ops for ever
 * Threads	any
 * Since	0.1
 */
PATHS_API paths_status paths_stage_register(const struct paths_stage_ops *ops)
    PATHS_CHECKED;

/*
 * paths_stage_find - the stage of that name
 *
 * Returns	its table; NULL when there is none
 * Ownership	constant
 * Threads	any
 * Since	0.1
 */
PATHS_API const struct paths_stage_ops *paths_stage_find(const char *name);

/*
 * paths_stage_get - the n-th known stage, for lists of them
 *
 * Returns	its table; NULL past the last
 * Ownership	constant
 * Threads	any
 * Since	0.1
 */
PATHS_API const struct paths_stage_ops *paths_stage_get(uint32_t n);

/*
 * paths_stage_load - load a plugin and register its stages
 *
 * file	a path, or the bare name of a shared object, looked for beside
 *	libpaths first, then where the loader looks
 *
 * Returns	PATHS_OK; also when it is loaded already
 *		PATHS_ENOENT	it cannot be loaded, or exports no paths_plugin
 *		PATHS_EABI, PATHS_EBUSY, PATHS_EINVAL	as paths_stage_register
 * Threads	any
 * Since	0.1
 */
PATHS_API paths_status paths_stage_load(const char *file) PATHS_CHECKED;

#endif
