/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stage.h - the interface of stages, for plugins
 *
 * A stage is a table of functions.  The program allocates `size` zeroed bytes
 * for the state of each instance and calls open.  Then each path through the
 * stage calls down and up, for one operation at a time.  At the end the program
 * calls close once, also after a failed open.  The slot that down and up get
 * keeps a value between the two passes of one operation.  It is 0 before the
 * first operation of a path; no pass clears it.
 *
 * A stage that is not shared has one operation at a time.  Its passes may run
 * in different threads, one after the other, so its state needs no lock.
 *
 * op->bytes is the length of the tuple at the stage.  A type that varies
 * (type.h) has tuples of several lengths: in a read, op->bytes is the greatest
 * one on the down-pass, and that of the tuple that was read on the up-pass.
 * The tuple of a read or an exchange has room for the greatest.
 *
 * A shared stage (PATHS_STAGE_JOIN, an element) is one instance that several
 * chains enter.  Each chain has an input, numbered from 0 in the order of the
 * map, and down, up, cancel and lost get port(self, input) as their self.
 * Passes of several inputs may run at the same time.
 */

#ifndef LIBPATHS_STAGE_H
#define LIBPATHS_STAGE_H

#include "libpaths/op.h"
#include "libpaths/type.h"

#include <stdbool.h>

PATHS_BEGIN_DECLS

/* Incremented when struct paths_stage_ops or its contract changes. */
#define PATHS_STAGE_ABI 4u

/* Flags of a stage. */
#define PATHS_STAGE_JOIN 1u   /* has inputs and a tail (-inputs, -next) */
#define PATHS_STAGE_END 2u    /* ends its chain: turns every operation */
#define PATHS_STAGE_BEHIND 4u /* sends operations along the chain behind it */
#define PATHS_STAGE_SIDE 8u   /* has chains of its own, given as options */
/* Stands for a kind that is not registered, in a map that was only read: it has
   a name and no functions.  See paths_map_read. */
#define PATHS_STAGE_UNKNOWN 16u
/* Handles tuples of any length (op->bytes) on a path whose type is not known.
   On all other paths a tuple is of the type env->above.  Such a stage passes
   tuples on as they are, and does not use that of a write on the up-pass. */
#define PATHS_STAGE_ANY_BYTES 32u
/* With PATHS_STAGE_SIDE: the tuples on its own chains are not those of the
   operations that it gets, and have another type. */
#define PATHS_STAGE_OWN_TYPE 64u

/* Kinds of values of an option. */
enum paths_option_kind {
	PATHS_OPTION_WORD,   /* any word */
	PATHS_OPTION_COUNT,  /* an integer from 0 */
	PATHS_OPTION_BYTES,  /* 4096, 64K, 1MiB: PATHS_UNIT_BYTES */
	PATHS_OPTION_TIME,   /* 500us, 1.5s: PATHS_UNIT_TIME; kept in ns */
	PATHS_OPTION_RATE,   /* 100M: PATHS_UNIT_RATE */
	PATHS_OPTION_TYPE,   /* a tuple type */
	PATHS_OPTION_CHOICE, /* one of the words in `choices` */
	PATHS_OPTION_CHAIN   /* a chain of its own, see PATHS_STAGE_SIDE */
};

#define PATHS_OPTION_REQUIRED 1u
#define PATHS_OPTION_POSITIVE 2u /* a number other than 0 */

/*
 * An option of a stage.  A name without "-" is positional: such options take,
 * in order, the words that are not the name or value of another option.
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

/* The place and options of a stage; lent for the call of open. */
struct paths_stage_env {
	struct paths_program *program;
	const struct paths_map_item *item; /* its first place in the map */
	uint32_t instance;		   /* its number in the map */
	uint32_t inputs; /* shared stages: number of chains that enter */
	struct paths_type above; /* tuples that come from above */
	struct paths_type below; /* tuples that go further down */
	bool served;		 /* operations of other processes pass here */
};

typedef void paths_stat_emit(void *to, unsigned counter, uint64_t value);

struct paths_stage_ops {
	uint32_t abi; /* PATHS_STAGE_ABI */
	const char *name;
	const char *about;   /* one line */
	const char *example; /* an item of a chain: "delay 1us" */
	uint32_t flags;
	size_t size;			    /* of the stage's state */
	const struct paths_option *options; /* NULL: takes no words */

	/* All functions but down may be NULL.  types sets the types of tuples
	   above and below the stage; NULL: both are the same, and can be any.
	   It is called when a map is checked, before any stage is opened.  On
	   entry both are the type of the next stage, or PATHS_TYPE_NONE. */
	paths_status (*types)(const struct paths_map_item *item,
	    uint32_t inputs, struct paths_type *above,
	    struct paths_type *below);
	paths_status (*open)(void *self, const struct paths_stage_env *env);
	void *(*port)(void *self, uint32_t input);
	enum paths_pass (
	    *down)(void *self, struct paths_op *op, uint64_t *slot);
	void (*up)(void *self, struct paths_op *op, uint64_t *slot);

	/* Gives a parked operation back.  Returns true when the stage had it
	   and will not resume it; its up is then run with op->status set.
	   Returns false when the stage does not have it, or is resuming it.
	   The stage may compare op, but not read from it. */
	bool (*cancel)(void *self, struct paths_op *op, uint64_t *slot);

	/* Called for each input when the chain above it has ended, once after
	   open and once after each reopen.  why is NULL when the chain was
	   closed, else the reason why its process is gone. */
	void (*lost)(void *self, const char *why);

	/* Called when a chain that was closed is opened again, before its next
	   operation.  Returns PATHS_OK, or the reason why the input stays
	   closed.  A stage that has lost and no reopen cannot be opened again;
	   the program then refuses to open the thread again. */
	paths_status (*reopen)(void *self);
	void (*stat)(const void *self, paths_stat_emit *emit, void *to);
	void (*close)(void *self);

	/* Returns true when the stage rests: down would only return
	   PATHS_PASS_ON, and up would do nothing.  Paths leave a stage out
	   while it rests.  word: set to a word that any thread or process
	   increments, with release order, after it began or ended the rest;
	   constant, and valid until close.  Each operation reads the word, and
	   calls rests again when the word has changed.  Of a path's stages,
	   those rest that have the word of the first. */
	bool (*rests)(const void *self, const paths_atomic_u32 **word);

	/* The kinds of operation that the stage takes, a set of
	   PATHS_KIND_BIT; 0: all.  down refuses the others with PATHS_EINVAL.
	   A map is refused if none of a path's kinds (-use) passes its
	   stages. */
	uint32_t kinds;
};

/*
 * A plugin exports this struct under the name `paths_plugin`.  The array of
 * stages ends with NULL.  `abi` is checked before any other member is read.
 */
struct paths_plugin {
	uint32_t abi; /* PATHS_STAGE_ABI */
	const char *name;
	const struct paths_stage_ops *const *stages; /* ended by NULL */
};

/*
 * paths_stage_register - register a kind of stage, for use in maps
 *
 * Returns	PATHS_OK; also when this table is registered already
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
 * paths_stage_find - find a kind of stage by its name
 *
 * Returns	its table; NULL when there is none
 * Ownership	constant
 * Threads	any
 * Since	0.1
 */
PATHS_API const struct paths_stage_ops *paths_stage_find(const char *name);

/*
 * paths_stage_get - the n-th registered kind of stage
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
 * A name without a slash is looked up in the absolute folders of
 * PATHS_PLUGIN_PATH, which are separated by ":", and then in the folder
 * eventspace/stages beside libpaths.  libcollectors.so.0 and libgather.so.0
 * are looked up beside libpaths first.  The current folder and the folders of
 * the dynamic linker are not searched.
 *
 * file	a path, which contains a slash, or a name
 *
 * Returns	PATHS_OK; also when it is loaded already
 *		PATHS_ENOENT	it is not found, cannot be loaded, or exports no
 *				paths_plugin
 *		PATHS_EABI, PATHS_EBUSY, PATHS_EINVAL	as paths_stage_register
 * Threads	any
 * Since	0.1
 */
PATHS_API paths_status paths_stage_load(const char *file) PATHS_CHECKED;

PATHS_END_DECLS

#endif
