/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/class.c - the classes of time, and their colours
 */

#include "viewer/figure/class.h"

#include <string.h>

static const struct {
	const char *name; /* NULL: that of the group */
	uint32_t colour;
} classes[ESV_CLASSES] = {
	[ESV_CLASS_NONE] = { "communication", 0x000000 },
	[ESV_CLASS_WAIT] = { "waiting", 0xe69f00 },
	[ESV_CLASS_GROUP + ES_GROUP_POINT_TO_POINT] = { NULL, 0x0072b2 },
	[ESV_CLASS_GROUP + ES_GROUP_COLLECTIVE] = { NULL, 0x009e73 },
	[ESV_CLASS_GROUP + ES_GROUP_ONE_SIDED] = { NULL, 0xcc79a7 },
	[ESV_CLASS_GROUP + ES_GROUP_FILE] = { NULL, 0x8c510a },
	[ESV_CLASS_GROUP + ES_GROUP_COMPLETION] = { NULL, 0x56b4e9 },
	[ESV_CLASS_GROUP + ES_GROUP_MANAGEMENT] = { NULL, 0x5f5f5f },
	[ESV_CLASS_GROUP + ES_GROUP_WRITE] = { NULL, 0x0072b2 },
	[ESV_CLASS_GROUP + ES_GROUP_READ] = { NULL, 0x009e73 },
	[ESV_CLASS_GROUP + ES_GROUP_EXCHANGE] = { NULL, 0xcc79a7 },
	[ESV_CLASS_GROUP + ES_GROUP_DELETE] = { NULL, 0x8c510a },
};

const char *
esv_class_name(uint32_t class)
{
	return classes[class].name != NULL ?
	    classes[class].name :
	    es_operation_group_name(class - ESV_CLASS_GROUP);
}

/* Mixes a colour with white (255) or black (0), `part` of 8. */
static uint32_t
colour_mix(uint32_t colour, uint32_t with, uint32_t part)
{
	uint32_t mixed = 0;

	for (unsigned shift = 0; shift < 24; shift += 8)
		mixed |=
		    ((colour >> shift & 0xff) * (8 - part) + with * part) / 8
		    << shift;
	return mixed;
}

uint32_t
esv_class_colour(uint32_t class, uint32_t variant)
{
	uint32_t colour = classes[class].colour;

	if (variant == 1)
		return colour_mix(colour, 255, 2);
	return variant == 2 ? colour_mix(colour, 0, 2) : colour;
}

/* Classes of a tint.  The order lets neighbours, as ranks and steps, differ
   most; grey is the class without the property. */
static const uint32_t tints[ES_COLOUR_CLASSES] = { 0x332288, 0x4ec087, 0xd62567,
	0x92c9ec, 0xa99742, 0x8c146e, 0x037827, 0xddcc77, 0xaa3ba4, 0x808080 };

/* From few to many bytes. */
static const uint32_t scale[ES_COLOUR_CLASSES] = { 0xffee1c, 0xa9d235, 0x76c266,
	0x0da263, 0x5280bb, 0x2b636d, 0x484c86, 0x411686, 0x440154, 0x808080 };

uint32_t
esv_tint_colour(enum esv_colour_by by, uint32_t n)
{
	return (by == ESV_BY_TINT + ES_COLOUR_BYTES ? scale : tints)[n];
}

bool
esv_class_is_light(enum esv_colour_by by, uint32_t class)
{
	uint32_t c = by < ESV_BY_TINT || class < ESV_CLASS_GROUP ?
	    classes[class].colour :
	    esv_tint_colour(by, class - ESV_CLASS_GROUP);

	/* Luma, weighted as in ITU-R BT.601. */
	return 299 * (c >> 16) + 587 * (c >> 8 & 0xff) + 114 * (c & 0xff) >
	    110 * 1000;
}

uint32_t
esv_class_variant(enum es_operation_type type, uint32_t op)
{
	enum es_operation_group group = es_operation_group(type, op);
	uint32_t before = 0;

	if (type != ES_OPERATION_MPI)
		return 0;
	/* Neighbours in the table of functions differ. */
	for (uint32_t n = 1; n < op; n++)
		before += es_operation_group(type, n) == group;
	return before % ESV_VARIANTS;
}

static const char *const by_names[ESV_BY_TINT] = {
	[ESV_BY_SHARE] = "share",
	[ESV_BY_GROUP] = "group",
	[ESV_BY_FUNCTION] = "function",
	[ESV_BY_WAIT] = "wait",
};

const char *
esv_colour_by_name(uint32_t by)
{
	if (by >= ESV_BY_TINT)
		return es_colour_name(by - ESV_BY_TINT);
	return by_names[by];
}

bool
esv_colour_by_find(const char *name, enum esv_colour_by *by)
{
	for (int n = 0; n < ESV_BY_COUNT; n++) {
		if (strcmp(name, esv_colour_by_name((uint32_t)n)) == 0) {
			*by = (enum esv_colour_by)n;
			return true;
		}
	}
	return false;
}

enum esv_colour_by
esv_class_find(const char *word, size_t length, uint32_t *class)
{
	uint32_t colour;

	for (uint32_t c = ESV_CLASS_WAIT; c < ESV_CLASSES; c++) {
		const char *name = esv_class_name(c);

		*class = c;
		if (strlen(name) == length && strncmp(name, word, length) == 0)
			return ESV_BY_GROUP;
	}
	*class = ESV_CLASS_NONE;
	if (strlen(ESV_CLASS_NO_CORE) == length &&
	    strncmp(ESV_CLASS_NO_CORE, word, length) == 0)
		return ESV_BY_GROUP;
	if (!es_colour_read(word, length, &colour, class))
		return ESV_BY_COUNT;
	*class += ESV_CLASS_GROUP;
	return (enum esv_colour_by)(ESV_BY_TINT + colour);
}
