/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/class.h - the classes of time, and their colours
 *
 * The one table of colours of operations: window, pictures, report and exports
 * use it.  A class has the same colour in all themes and all runs.  Colours are
 * those of Okabe and Ito with two more, which colour-blind people can tell
 * apart (tests/viewer/figure/class_test.c).
 *
 * Source	Okabe, Ito: Color Universal Design
 */

#ifndef VIEWER_FIGURE_CLASS_H
#define VIEWER_FIGURE_CLASS_H

#include "libpaths/language.h"
#include "scopes/colour.h"

#include <stdbool.h>
#include <stdint.h>

/* Classes of time in a timeline.  Where classes are hidden, the first one
   stands for time without a core. */
enum esv_class {
	ESV_CLASS_NONE, /* communication of any kind: a grey */
	ESV_CLASS_WAIT,
	ESV_CLASS_GROUP, /* ESV_CLASS_GROUP + enum es_operation_group */
	ESV_CLASSES = ESV_CLASS_GROUP + ES_GROUPS
};

/* Steps from computation (0) to the colour of a class. */
#define ESV_SHADES 12u

/* Colours of a group, for its functions: variant 0 is that of the group. */
#define ESV_VARIANTS 3u

/* The meaning of the colour of an operation. */
enum esv_colour_by {
	ESV_BY_SHARE,	 /* nothing: communication is a grey */
	ESV_BY_GROUP,	 /* its group, and its waiting */
	ESV_BY_FUNCTION, /* its function or kind, and its waiting */
	ESV_BY_WAIT,	 /* its waiting */
	/* ESV_BY_TINT + enum es_colour: its call site, communicator, peer,
	   bytes or step.  Class ESV_CLASS_GROUP + n is then class n of it. */
	ESV_BY_TINT,
	ESV_BY_COUNT = ESV_BY_TINT + ES_COLOURS
};

static_assert(ES_COLOUR_CLASSES <= ES_GROUPS, "they share the classes");

/* Returns the name of a class: "waiting", "collective" ... */
const char *esv_class_name(uint32_t class);

/* Returns the colour of a variant of a class, 0xRRGGBB; not of
   ESV_CLASS_NONE. */
uint32_t esv_class_colour(uint32_t class, uint32_t variant);

/* Returns the colour of class n of a tint, 0xRRGGBB.  Bytes have an ordered
   scale, the others colours that differ. */
uint32_t esv_tint_colour(enum esv_colour_by by, uint32_t n);

/* Returns true if black text is easier to read on a class than white text. */
bool esv_class_is_light(enum esv_colour_by by, uint32_t class);

/* The word that hides time without a core, and its bit of hidden classes. */
#define ESV_CLASS_NO_CORE "no-core"
#define ESV_HIDE_NO_CORE (1u << ESV_CLASS_NONE)

/* Finds a class by the word that hides it: its name, or "site-3" for class 3 of
   a tint.  The word need not end with 0.  Returns the meaning of colours that
   the class is hidden in; ESV_BY_GROUP for groups and waiting, ESV_BY_COUNT:
   unknown. */
enum esv_colour_by esv_class_find(const char *word, size_t length,
    uint32_t *class);

/* Returns the variant of a function or kind, the same in every run. */
uint32_t esv_class_variant(enum es_operation_type type, uint32_t op);

/* Returns the name of what a colour shows: "share", "group" ...; NULL: there is
   none. */
const char *esv_colour_by_name(uint32_t by);

/* Finds what a colour shows by its name; false: unknown. */
bool esv_colour_by_find(const char *name, enum esv_colour_by *by);

/* Returns the classes that are hidden with a meaning of colours; time without a
   core is hidden with all. */
static inline uint32_t
esv_hidden_classes(const uint32_t hidden_by[ESV_BY_COUNT],
    enum esv_colour_by by)
{
	return hidden_by[by < ESV_BY_TINT ? ESV_BY_GROUP : by] |
	    (hidden_by[ESV_BY_GROUP] & ESV_HIDE_NO_CORE);
}

#endif
