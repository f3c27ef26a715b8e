/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map.h - path maps: all hosts, processes, threads, elements, stages
 * and paths of a program
 *
 * A path map is data: lines that are Tcl lists, each a command word with
 * arguments.  Nothing is evaluated.  Empty lines and lines whose first
 * character other than a blank is # are ignored.  A list may extend over
 * several lines while a brace is open.
 *
 *	pathmap 1
 *	plugin  NAME
 *	host    NAME ?-address ADDRESS?
 *	process NAME -host HOST ?-listen {ENDPOINT ...}? ?-space BYTES?
 *	thread  NAME -process PROCESS ?-core N?
 *	element NAME -process PROCESS -type TYPE ?-keep N?
 *	        ?-full block|discard|fail? ?-take each|one?
 *	stage   NAME KIND -process PROCESS ?options of the kind?
 *	        -inputs N -next CHAIN
 *	path    THREAD ELEMENT CHAIN ?-use any|read|write|exchange?
 *
 * "pathmap 1" comes first; the others in any order.  NAME is 1 to 255 of
 * A-Z a-z 0-9 . _ - and does not begin with "-".  ENDPOINT is tcp:PORT,
 * tcp:ADDRESS:PORT (PORT 0: chosen by the launcher) or unix:FILE (in the run
 * directory unless absolute).  CHAIN is a list of items, each a list:
 *
 *	{STAGE}				a shared stage, declared by `stage`
 *	{element NAME}			the end: the element
 *	{proxy PROCESS ?-via auto|shm|unix|tcp?}
 *	{KIND ?options?}		a stage that only this chain has
 *
 * A chain ends with {element NAME}, a shared stage, or a stage that turns every
 * operation back ({null}).  The path must end at the element that it names,
 * unless it ends in a stage that turns every operation back.
 *
 * The loader numbers all things in the order of the map.  A *chain* is the list
 * of a `path` line, of -next, of a `tee` or of a `merge`, or the part of a list
 * that follows a `buffer`.  An *item* is one place on a chain.  An *instance*
 * is an element or a stage, numbered as in views: elements come first, then
 * shared stages, then stages that only one chain has.
 */

#ifndef LIBPATHS_MAP_H
#define LIBPATHS_MAP_H

#include "libpaths/stage.h"

PATHS_BEGIN_DECLS

/* An index that stands for "none". */
#define PATHS_NONE UINT32_MAX

/* Longer maps and lines are refused before they are parsed. */
#define PATHS_MAP_BYTES_MAX (256u << 20)
#define PATHS_MAP_LINE_BYTES_MAX (1u << 20)
#define PATHS_MAP_NAME_BYTES_MAX 255
#define PATHS_MAP_LISTEN_MAX 4
#define PATHS_MAP_HASH_BYTES 32

struct paths_map_host {
	const char *name;
	const char *address; /* NULL: not given */
};

/* The parties that a map trusts not to change its frames. */
enum paths_map_trust {
	PATHS_MAP_TRUST_SECRET, /* whoever knows the secret of the run */
	PATHS_MAP_TRUST_NETWORK /* also the network between the hosts */
};

/* The limits of `-silence`, the time after which a silent process is lost. */
#define PATHS_MAP_SILENCE_DEFAULT "5s"
#define PATHS_MAP_SILENCE_NS_MIN UINT64_C(100000000)
#define PATHS_MAP_SILENCE_NS_MAX UINT64_C(3600000000000)

enum paths_map_via {
	PATHS_MAP_VIA_AUTO, /* same host: shm; else tcp */
	PATHS_MAP_VIA_SHM,
	PATHS_MAP_VIA_UNIX,
	PATHS_MAP_VIA_TCP
};

struct paths_map_listen {
	enum paths_map_via via; /* TCP or UNIX */
	const char *address;	/* TCP: NULL if not given; UNIX: file */
	uint16_t port;		/* TCP */
};

struct paths_map_process {
	const char *name;
	size_t text_at; /* offset and length of its line in the text */
	size_t text_bytes;
	uint64_t
	    space; /* bytes for the rings of its collectors; 0: not given */
	uint32_t host;
	uint32_t listen_count;
	struct paths_map_listen listen[PATHS_MAP_LISTEN_MAX];
};

struct paths_map_thread {
	const char *name;
	uint32_t process;
	int32_t core; /* -1: any */
};

enum paths_map_full { PATHS_FULL_BLOCK, PATHS_FULL_DISCARD, PATHS_FULL_FAIL };
enum paths_map_take { PATHS_TAKE_EACH, PATHS_TAKE_ONE };

#define PATHS_MAP_KEEP_DEFAULT 64

struct paths_map_element {
	const char *name;
	uint32_t process;
	struct paths_type type;
	uint64_t keep;
	enum paths_map_full full;
	enum paths_map_take take;
	uint32_t instance;
};

/* The value of an option; the kind of the option sets number or type. */
struct paths_map_value {
	const char *text; /* in the map, or the default; NULL: absent */
	uint64_t number;  /* COUNT; BYTES; TIME in ns; RATE in bytes/s; CHOICE:
			     index in choices; CHAIN: index of the chain */
	struct paths_type type; /* TYPE */
};

struct paths_map_item {
	const struct paths_stage_ops *ops;
	uint32_t chain;
	uint32_t position; /* on its chain, from 0 */
	uint32_t process;  /* the process that runs it */
	uint32_t instance;
	uint32_t input;		/* of a shared stage or element; else 0 */
	uint32_t target;	/* proxy: the process it leads to; else NONE */
	enum paths_map_via via; /* proxy: never AUTO */
	uint32_t line;		/* of the map, for messages */
	struct paths_type above;
	struct paths_type below;
	struct paths_map_value *values; /* in the order of ops->options */
};

enum paths_map_use {
	PATHS_USE_ANY,
	PATHS_USE_READ,
	PATHS_USE_WRITE,
	PATHS_USE_EXCHANGE
};

struct paths_map_chain {
	uint32_t path;	  /* index of its path; NONE: a stage has it */
	uint32_t stage;	  /* instance that has it as a tail; else NONE */
	uint32_t beside;  /* the stage's next chain of its own; NONE: no more */
	uint32_t process; /* in which it begins */
	uint32_t first;	  /* items[first] .. items[first + count - 1] */
	uint32_t count;
	struct paths_type type; /* of tuples at its head */
};

struct paths_map_path {
	uint32_t thread;
	uint32_t element; /* NONE: ends in a stage that turns */
	const char *element_name;
	uint32_t chain;
	enum paths_map_use use;
};

struct paths_map_instance {
	const struct paths_stage_ops *ops;
	const char *name; /* as declared, or "t0/total.1:delay" */
	uint32_t process;
	uint32_t element; /* its index in elements; NONE: a stage */
	uint32_t item;	  /* its first place; NONE: on no chain */
	uint32_t tail;	  /* index of the first chain it owns; else NONE */
	uint32_t inputs;  /* count of chains that enter */
};

/* A kind of stage or a tuple type that is not registered, in a map that was
   read by paths_map_read. */
struct paths_map_unknown {
	const char *name;
	bool described; /* by kinds of the reader: its options are read */
	const struct paths_stage_ops *stage; /* its stand-in, with the flag
						PATHS_STAGE_UNKNOWN; NULL: a
						tuple type */
	uint32_t line;			     /* the first with the name */
};

struct paths_map {
	const char *file; /* its name in messages */
	const char *text; /* the whole map */
	size_t text_bytes;
	uint8_t hash[PATHS_MAP_HASH_BYTES]; /* of the text */
	enum paths_map_trust trust;
	bool encrypt;	     /* frames over TCP are encrypted */
	uint64_t silence_ns; /* of `-silence`; 0: off */
	uint32_t host_count, process_count, thread_count, element_count;
	uint32_t chain_count, path_count, item_count, instance_count;
	uint32_t plugin_count;
	uint32_t unloaded_count; /* plugins that paths_map_read left out */
	uint32_t unknown_count;
	struct paths_map_host *hosts;
	struct paths_map_process *processes;
	struct paths_map_thread *threads;
	struct paths_map_element *elements;
	struct paths_map_chain *chains;
	struct paths_map_path *paths;
	struct paths_map_item *items;
	struct paths_map_instance *instances;
	const char **plugins;
	struct paths_map_unknown *unknowns;
};

/* Plugins and kinds that the reader of a map knows besides its text. */
struct paths_map_reader {
	/* Paths of plugins that the user named, ended by NULL.  One is loaded
	   if the map has its path or its name.  Unknown kinds and types are
	   errors if no plugin of the map was left out.  NULL: only
	   libcollectors is loaded, and unknown kinds and types are accepted,
	   because the program may have registered them itself. */
	const char *const *plugins;
	const char *kinds; /* of paths_map_kinds; NULL: not known */
};

#define PATHS_MAP_KINDS_BYTES_MAX 16384

/*
 * paths_map_load - load a path map from a file, to run it, and check it whole
 *
 * Loads the plugins of the map.  The NAME of a plugin is looked up as by
 * paths_stage_load.  A path is refused unless the environment variable
 * PATHS_PLUGINS, a list of absolute paths separated by ":", has the same file.
 *
 * file	its path
 * map	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT, PATHS_EIO	it cannot be read
 *		PATHS_ESYNTAX	an error in the text; paths_log_last is
 *				"FILE:LINE: WORD: expected ..."
 *		PATHS_ETYPE	tuples of one type meet a stage of another
 *		PATHS_ERANGE	the combined tuple of a join is too large
 *		PATHS_ENOMEM
 * Ownership	the caller calls paths_map_close
 * Threads	any
 * Since	0.1
 */
PATHS_API paths_status paths_map_load(const char *file, struct paths_map **map)
    PATHS_CHECKED;

/*
 * paths_map_parse - load a path map from memory, to run it, and check it whole
 *
 * Loads plugins as paths_map_load does.
 *
 * text		the map; need not end with 0; copied
 * bytes	its length
 * name		name of the map in messages
 *
 * Returns	as paths_map_load
 * Ownership	the caller calls paths_map_close
 * Threads	any
 * Since	0.1
 */
PATHS_API paths_status paths_map_parse(const char *text, size_t bytes,
    const char *name, struct paths_map **map) PATHS_CHECKED;

/*
 * paths_map_read - read a path map that need not be trusted, and check it
 *
 * No file that only the map names is opened.  libcollectors and libgather are
 * loaded from the folder of libpaths if the map names them.  Kinds of stage
 * that are not registered are accepted with any options; each gets a stand-in
 * with the flag PATHS_STAGE_UNKNOWN and is in `unknowns`.  So are tuple types
 * that are not registered; an element of such a type has PATHS_TYPE_NONE.  All
 * else is checked as by paths_map_load.  A program must not run the map.
 *
 * file		its path
 * reader	what the reader knows; NULL: nothing
 * map		out
 *
 * Returns	as paths_map_load
 * Ownership	the caller calls paths_map_close
 * Threads	any
 * Since	0.1
 */
PATHS_API paths_status paths_map_read(const char *file,
    const struct paths_map_reader *reader, struct paths_map **map)
    PATHS_CHECKED;

/*
 * paths_map_read_text - as paths_map_read, from memory
 *
 * text		the map; need not end with 0; copied
 * bytes	its length
 * name		name of the map in messages
 *
 * Returns	as paths_map_load
 * Ownership	the caller calls paths_map_close
 * Threads	any
 * Since	0.1
 */
PATHS_API paths_status paths_map_read_text(const char *text, size_t bytes,
    const char *name, const struct paths_map_reader *reader,
    struct paths_map **map) PATHS_CHECKED;

/*
 * paths_map_kinds - describe the kinds in chains that are not of libpaths
 *
 * Leaves out the kinds of shared stages, because a `stage` line of the map
 * itself has the chain of its stage (-next).
 * A reader that has the text makes the same chains and numbers of instances as
 * the program.  Each line is a kind: its name, its PATHS_STAGE_ flags as a
 * number, and its options, as -name:word or -name:chain.
 *
 * except	a kind that is left out; NULL: none
 * text		out; "": there is no such kind
 *
 * Returns	PATHS_OK
 *		PATHS_ENOMEM
 * Ownership	the caller frees *text
 * Threads	any
 * Since	0.1
 */
PATHS_API paths_status paths_map_kinds(const struct paths_map *map,
    const char *except, char **text) PATHS_CHECKED;

/*
 * paths_map_close - free a map and all its parts
 *
 * map	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	one, when no other thread uses the map
 * Since	0.1
 */
PATHS_API void paths_map_close(struct paths_map *map);

/*
 * paths_map_find_process, paths_map_find_thread, paths_map_find_element,
 * paths_map_find_path - an index by name
 *
 * Returns	the index; PATHS_NONE when there is no such thing
 * Threads	any
 * Since	0.1
 */
PATHS_API uint32_t paths_map_find_process(const struct paths_map *map,
    const char *name);
PATHS_API uint32_t paths_map_find_thread(const struct paths_map *map,
    const char *name);
PATHS_API uint32_t paths_map_find_element(const struct paths_map *map,
    const char *name);
PATHS_API uint32_t paths_map_find_path(const struct paths_map *map,
    const char *thread, const char *element);

/*
 * paths_map_next - the item that an operation passes after this one
 *
 * Follows the tails of joins and buffers, but not the second chain of a tee.
 *
 * item	an index of items
 *
 * Returns	an index of items; PATHS_NONE after the last
 * Threads	any
 * Since	0.1
 */
PATHS_API uint32_t paths_map_next(const struct paths_map *map, uint32_t item);

/*
 * paths_map_option - the value of an option of an item
 *
 * item	the item; the options of a shared stage are those of its declaration
 * name	as in the stage's table of options
 *
 * Returns	its value or its default; NULL when it is absent
 * Ownership	of the map
 * Threads	any
 * Since	0.1
 */
PATHS_API const struct paths_map_value *
paths_map_option(const struct paths_map_item *item, const char *name);

PATHS_END_DECLS

#endif
