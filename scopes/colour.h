/* SPDX-License-Identifier: MIT */
/*
 * scopes/colour.h - the classes of operations by which a timeline is coloured
 *
 * A colour shows one property of an operation, and divides its values among
 * ES_COLOUR_CLASSES classes.  The class of a value is the same in all runs that
 * have the same call sites and communicators:
 *
 *	site	computed from the frames of the call path; sites of a run have
 *		different classes while there are enough of them.  An operation
 *		on a path has the class of its path.
 *	comm	as sites, from the identity of the communicator;
 *		MPI_COMM_WORLD is class 0, MPI_COMM_SELF class 1.  An operation
 *		on a path has the class of its element.
 *	peer	the number of the rank modulo ES_COLOUR_NONE
 *	bytes	below 64 bytes 0, then one more for each factor of 8
 *	step	the step modulo ES_COLOUR_NONE
 *
 * Class ES_COLOUR_NONE has operations without the property.
 */

#ifndef SCOPES_COLOUR_H
#define SCOPES_COLOUR_H

#include "scopes/operation.h"

PATHS_BEGIN_DECLS

/* The numbers of classes are in view.db. */
#define ES_COLOUR_NONE 9u
#define ES_COLOUR_CLASSES (ES_COLOUR_NONE + 1)

enum es_colour {
	ES_COLOUR_SITE,
	ES_COLOUR_COMM,
	ES_COLOUR_PEER,
	ES_COLOUR_BYTES,
	ES_COLOUR_STEP,
	ES_COLOURS
};

struct es_colours;
struct es_colour_lens;

/*
 * es_colours_open - find the classes of the call sites and communicators of a
 * run
 *
 * colours	out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es_colours_close; borrows the run
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_colours_open(const struct es_run *run,
    struct es_colours **colours) PATHS_CHECKED;
ES_API void es_colours_close(struct es_colours *colours);

/*
 * es_colours_lens - the numbers by which a collector names things
 *
 * collector	of the run
 *
 * Returns	the lens, for es_colour_class
 * Ownership	that of the colours
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_colour_lens *
es_colours_lens(const struct es_colours *colours, uint32_t collector);

/*
 * es_colour_class - the class of an operation
 *
 * lens	of the collector that recorded it; it has operations
 *
 * Returns	the class, below ES_COLOUR_CLASSES
 * Threads	any
 * Since	0.1
 */
ES_API uint32_t es_colour_class(const struct es_colour_lens *lens,
    enum es_colour colour, const struct es_operation *operation);

/*
 * es_colours_class_of - the class of a call site, a communicator or a rank
 *
 * id	number of the run
 *
 * Returns	the class, below ES_COLOUR_CLASSES
 * Threads	any
 * Since	0.1
 */
ES_API uint32_t es_colours_class_of(const struct es_colours *colours,
    enum es_colour colour, uint32_t id);

/*
 * es_colours_has - find if operations of a run can have a property
 *
 * Returns	false: all operations are of class ES_COLOUR_NONE
 * Threads	any
 * Since	0.1
 */
ES_API bool es_colours_has(const struct es_colours *colours,
    enum es_colour colour);

/*
 * es_colour_name - the name of a colour
 *
 * Returns	"site", "communicator" ...; NULL: it is none
 * Ownership	constant
 * Threads	any
 * Since	0.1
 */
ES_API const char *es_colour_name(uint32_t colour);

/* The longest word of a class, its closing 0 included. */
#define ES_COLOUR_WORD_BYTES 24u

/*
 * es_colour_read - read the word of a class, such as "site-3"
 *
 * view.db and options name classes by these words.
 *
 * length	of the word, which need not end with 0
 * colour	out
 * class_number	out
 *
 * Returns	false: it is no such word
 * Threads	any
 * Since	0.1
 */
ES_API bool es_colour_read(const char *word, size_t length, uint32_t *colour,
    uint32_t *class_number) PATHS_CHECKED;

PATHS_END_DECLS

#endif
