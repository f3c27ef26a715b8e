/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/timeline_legend.c - the legend of a timeline in pictures
 */

#include "viewer/chart/timeline_legend.h"

#include "viewer/timeline/strips.h"

/* The entries of the legend. */
struct timeline_entries {
	struct esv_legend_entry list[ESV_CLASSES + 12];
	size_t count;
};

static void
entries_add(struct timeline_entries *entries, int role, const char *text)
{
	entries->list[entries->count++] =
	    (struct esv_legend_entry){ .role = role, .text = text };
}

/* Adds the classes of a tint that are not hidden. */
static void
entries_tints(const struct esv__timeline_legend *t,
    struct timeline_entries *entries)
{
	uint32_t colour = t->options->by - ESV_BY_TINT;

	if (!t->model->tinted) {
		entries_add(entries, (int)(ESV_ROLE_GREY + ESV_GREYS - 1),
		    esv_class_name(ESV_CLASS_NONE));
		entries_add(entries, ESV_ROLE_MISSING,
		    "colours: not computed yet");
		return;
	}
	for (uint32_t n = 0; n < ES_COLOUR_CLASSES; n++)
		if ((t->model->tints[colour] >> n & 1) != 0 &&
		    (t->options->hidden >> (ESV_CLASS_GROUP + n) & 1) == 0)
			entries_add(entries,
			    esv_role_variant(ESV_CLASS_GROUP + n, 0),
			    t->tints->text[n]);
}

/* Adds the classes of the run that are not hidden. */
static void
entries_classes(const struct esv__timeline_legend *t,
    struct timeline_entries *entries)
{
	enum esv_colour_by by = t->options->by;

	if (by >= ESV_BY_TINT) {
		entries_tints(t, entries);
		return;
	}
	if (by == ESV_BY_SHARE || by == ESV_BY_WAIT)
		entries_add(entries, (int)(ESV_ROLE_GREY + ESV_GREYS - 1),
		    esv_class_name(ESV_CLASS_NONE));
	else
		for (uint32_t g = 0; g < ES_GROUPS; g++)
			if ((t->model->groups >> g & 1) != 0 &&
			    (t->options->hidden >> (ESV_CLASS_GROUP + g) & 1) ==
				0)
				entries_add(entries,
				    esv_role_variant(ESV_CLASS_GROUP + g, 0),
				    esv_class_name(ESV_CLASS_GROUP + g));
	if (by == ESV_BY_SHARE)
		return;
	if (!t->model->waits)
		entries_add(entries, ESV_ROLE_MISSING,
		    "waiting: not computed yet");
	else if ((t->options->hidden >> ESV_CLASS_WAIT & 1) == 0)
		entries_add(entries, esv_role_variant(ESV_CLASS_WAIT, 0),
		    esv_class_name(ESV_CLASS_WAIT));
}

/* Adds entries for delays, deaths and deadlocks that are drawn. */
static void
entries_causes(const struct esv__timeline_legend *t,
    struct timeline_entries *entries)
{
	const struct esv_links *ends = t->options->ends;
	bool died = false, cycle = false;

	for (size_t n = 0; ends != NULL && n < ends->count; n++) {
		const struct esv_link *link = &ends->links[n];
		bool cross = link->from_row == link->to_row &&
		    link->from_ns == link->to_ns;

		died |= cross;
		cycle |= !cross;
	}
	if (t->options->delays != NULL)
		entries_add(entries, ESV_ROLE_WARNING,
		    "delay, and the waits that it caused");
	if (died) {
		entries_add(entries, ESV_ROLE_WARNING, "cross: died");
		entries_add(entries, ESV_ROLE_MISSING, "after its death");
	}
	if (cycle)
		entries_add(entries, ESV_ROLE_WARNING, "arrows: deadlock");
}

/* Writes the warnings at the top of a box, and takes their height from it. */
static void
legend_warnings(const struct esv__timeline_legend *t, struct esv_figure *figure,
    struct esv_box *box)
{
	const double line = ESV_LABEL_HEIGHT(ESV_LABEL_POINTS);

	for (int n = 0; n < ESV_TIMELINE_WARNINGS; n++) {
		if (t->options->warnings[n] == NULL)
			continue;
		esv_draw_text_within(figure, ESV_ROLE_WARNING,
		    (struct esv_box){ box->x, box->y, box->width, line },
		    ESV_ANCHOR_LEFT, t->options->warnings[n]);
		box->y += line;
		box->height -= line;
	}
}

void
esv__timeline_legend_draw(const struct esv__timeline_legend *t,
    struct esv_figure *figure, struct esv_box *box)
{
	struct timeline_entries entries = { .count = 0 };

	legend_warnings(t, figure, box);
	entries_add(&entries, ESV_ROLE_GREY, "computation");
	entries_classes(t, &entries);
	if (t->band)
		entries_add(&entries,
		    t->options->by == ESV_BY_SHARE ?
			ESV_ROLE_GREY + (int)ESV_STRIPS_BAND :
			ESV_ROLE_GROUND,
		    t->model->ranks ?
			"height: share of ranks (strong: unusually long)" :
			"height: share of threads (strong: unusually long)");
	if (t->none)
		entries_add(&entries, ESV_ROLE_MISSING, "nothing recorded");
	if (t->model->gaps && t->options->by != ESV_BY_SHARE &&
	    (t->options->hidden & ESV_HIDE_NO_CORE) == 0)
		entries_add(&entries, ESV_ROLE_NO_CORE,
		    "runnable without a core");
	if (t->options->highlight != NULL)
		entries_add(&entries, ESV_ROLE_HIGHLIGHT, "highlighted");
	if (t->options->critical != NULL)
		entries_add(&entries, ESV_ROLE_CRITICAL, "critical path");
	entries_causes(t, &entries);
	esv_legend_draw(figure, box, entries.list, entries.count);
}
