/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/topology.c - threads on the cores that they are bound to
 *
 * Hosts have packages, packages have cores.  A thread is in the smallest of
 * them that has all processing units (PUs) which it may use.  Its bar has the
 * parts of its time, as in load_balance.  If there is no room for cores, each
 * host is one bar.
 */

#include "viewer/chart/chart_private.h"

#include "viewer/figure/legend.h"
#include "viewer/plot/part.h"
#include "viewer/plot/query.h"
#include "viewer/plot/threads.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

ESV__SQL(topology_hosts);
ESV__SQL(topology_cores);
ESV__SQL(topology_threads);
ESV__SQL(topology_counts);

/* The least area of a core or thread, and of a host. */
#define AREA_LEAST 120.0
#define HOST_LEAST 24.0
/* Width of boxes over their height, if there is a choice. */
#define ASPECT 2.5
#define GAP 3.0
#define LINE ESV_LABEL_HEIGHT(ESV_LABEL_SMALL_POINTS)
#define BAR 24.0
/* The least height of a name. */
#define LABEL_LEAST 9.0
/* The share of a host for its threads that are in no package, if all are. */
#define LOOSE_MOST 0.8

/* Columns of topology_threads. */
enum {
	THREAD,
	NAME,
	HOST,
	STATE,
	IN_PACKAGE,
	ON_CORE,
	PUS,
	SOURCE,
	WAIT_NS,
	COMMUNICATION_NS,
	COMPUTATION_NS
};

enum { WAIT, COMMUNICATION, COMPUTATION, PARTS };

/* Places of threads that are on no core, in the order of drawing. */
enum place { PLACE_CORE, PLACE_PACKAGE, PLACE_SEVERAL, PLACE_FREE, PLACE_NONE };

/* A thread, or all threads of a host. */
struct tile {
	uint32_t host, core; /* indices; core: the first of its package */
	enum place place;
	struct esv_thing thing;
	const char *label, *tip;
	double parts[PARTS]; /* in ns */
};

struct core {
	int64_t package, core; /* of the host */
};

struct host {
	int64_t id;
	const char *name;
	uint32_t first, cores; /* of topology.cores */
	uint32_t packages;
	size_t tile, tiles; /* of topology.tiles */
};

struct topology {
	struct esv__sheet *sheet;
	struct host *hosts;
	uint32_t host_count;
	struct core *cores;
	uint32_t core_count;
	struct tile *tiles; /* ordered by host, place, core and thread */
	size_t count;
};

/* A run of tiles. */
struct tiles {
	const struct tile *tiles;
	size_t count;
};

static struct host *
host_find(const struct topology *t, int64_t id)
{
	uint32_t low = 0, high = t->host_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (t->hosts[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < t->host_count && t->hosts[low].id == id ? &t->hosts[low] :
							       NULL;
}

static void
topology_hosts(struct topology *t)
{
	struct esv__query q;

	esv__query_begin(&q, t->sheet, esv__sql_topology_hosts);
	while (esv__query_next(&q)) {
		t->hosts = esv__sheet_grow(t->sheet, t->hosts, t->host_count,
		    sizeof(*t->hosts));
		if (t->hosts != NULL)
			t->hosts[t->host_count++] =
			    (struct host){ .id = esv__query_int(&q, 0),
				    .name = esv__query_text(&q, 1) };
	}
}

static void
topology_cores(struct topology *t)
{
	struct esv__query q;

	esv__query_begin(&q, t->sheet, esv__sql_topology_cores);
	while (esv__query_next(&q)) {
		struct host *host = host_find(t, esv__query_int(&q, 0));
		int64_t package = esv__query_int(&q, 1);

		if (host == NULL)
			continue;
		t->cores = esv__sheet_grow(t->sheet, t->cores, t->core_count,
		    sizeof(*t->cores));
		/* The query ends, because the figure has failed. */
		if (t->cores == NULL)
			continue;
		if (host->cores == 0)
			host->first = t->core_count;
		host->packages += host->cores == 0 ||
		    t->cores[t->core_count - 1].package != package;
		host->cores++;
		t->cores[t->core_count++] = (struct core){ .package = package,
			.core = esv__query_int(&q, 2) };
	}
}

/* Finds the place of the thread of the current row. */
static void
tile_place(const struct topology *t, const struct host *host,
    const struct esv__query *q, struct tile *tile)
{
	const char *state = esv__query_text(q, STATE);
	bool package = !esv__query_null(q, IN_PACKAGE);
	bool core = !esv__query_null(q, ON_CORE);

	tile->place = strcmp(state, "bound") == 0 ? PLACE_SEVERAL :
	    strcmp(state, "unbound") == 0	  ? PLACE_FREE :
						    PLACE_NONE;
	if (tile->place != PLACE_SEVERAL || !(package || core))
		return;
	for (uint32_t n = host->first; n < host->first + host->cores; n++) {
		if (core && t->cores[n].core != esv__query_int(q, ON_CORE))
			continue;
		if (!core &&
		    t->cores[n].package != esv__query_int(q, IN_PACKAGE))
			continue;
		tile->place = core ? PLACE_CORE : PLACE_PACKAGE;
		tile->core = n;
		return;
	}
}

/* Takes the parts of the time of a thread: of the whole run, or of a part. */
static void
tile_parts(const struct esv_interval *interval, const struct esv__query *q,
    struct tile *tile)
{
	double busy, active, wait;

	if (interval != NULL) {
		const struct esv_interval_thread *of =
		    &interval->threads[tile->thing.id];

		busy = (double)of->busy_ns;
		active = (double)of->active_ns;
		wait = (double)of->wait_ns;
	} else {
		busy = esv__query_num(q, COMMUNICATION_NS);
		active = busy + esv__query_num(q, COMPUTATION_NS);
		wait = esv__query_num(q, WAIT_NS);
	}
	if (!(active > 0))
		return;
	wait = isnan(wait) ? 0 : fmin(wait, busy);
	tile->parts[WAIT] = wait;
	tile->parts[COMMUNICATION] = busy - wait;
	tile->parts[COMPUTATION] = active - busy;
}

/* Returns the parts of the time as shares, in words. */
static const char *
tile_shares(struct esv__sheet *sheet, const double parts[PARTS])
{
	double all = parts[WAIT] + parts[COMMUNICATION] + parts[COMPUTATION];

	if (all <= 0)
		return "no operations";
	return esv_figure_printf(sheet->figure,
	    "waiting %s, other communication %s, computation %s",
	    esv__sheet_number(sheet, parts[WAIT] / all, PATHS_UNIT_SHARE),
	    esv__sheet_number(sheet, parts[COMMUNICATION] / all,
		PATHS_UNIT_SHARE),
	    esv__sheet_number(sheet, parts[COMPUTATION] / all,
		PATHS_UNIT_SHARE));
}

/* Returns the binding of the current row, in words. */
static const char *
tile_binding(struct esv__sheet *sheet, const struct esv__query *q,
    enum place place)
{
	const char *pus = esv__query_text(q, PUS);
	const char *by = strcmp(esv__query_text(q, SOURCE), "map") == 0 ?
	    " by the map" :
	    " when it first called MPI";

	if (*pus != '\0')
		pus = esv_figure_printf(sheet->figure, " (PUs %s)", pus);
	if (place == PLACE_CORE)
		return esv_figure_printf(sheet->figure,
		    "bound to core %" PRId64 "%s%s", esv__query_int(q, ON_CORE),
		    pus, by);
	if (place == PLACE_PACKAGE)
		return esv_figure_printf(sheet->figure,
		    "bound to several cores of package %" PRId64 "%s%s",
		    esv__query_int(q, IN_PACKAGE), pus, by);
	if (place == PLACE_SEVERAL)
		return esv_figure_printf(sheet->figure, "bound%s%s", pus, by);
	return place == PLACE_FREE ?
	    esv_figure_printf(sheet->figure, "not bound%s", by) :
	    esv_figure_printf(sheet->figure, "its binding is not known%s", pus);
}

static void
topology_threads(struct topology *t)
{
	struct esv__sheet *sheet = t->sheet;
	bool part = esv__part_wanted(sheet);
	const struct esv_interval *interval =
	    part ? esv__part_get(sheet) : NULL;
	const bool *shown = esv__threads_shown(sheet);
	struct esv__query q;

	if (part && interval == NULL)
		return;
	esv__query_begin(&q, sheet, esv__sql_topology_threads);
	while (esv__query_next(&q)) {
		int64_t id = esv__query_int(&q, THREAD);
		struct host *host = host_find(t, esv__query_int(&q, HOST));
		struct tile tile = { .thing = ESV_THING(ESV_THING_THREAD, id),
			.label = esv__query_text(&q, NAME) };

		if (host == NULL || !esv__threads_shows(sheet, shown, id))
			continue;
		tile.host = (uint32_t)(host - t->hosts);
		tile_place(t, host, &q, &tile);
		tile_parts(interval, &q, &tile);
		tile.tip = esv_figure_printf(sheet->figure, "%s: %s; %s",
		    tile.label, tile_binding(sheet, &q, tile.place),
		    tile_shares(sheet, tile.parts));
		t->tiles = esv__sheet_grow(sheet, t->tiles, t->count,
		    sizeof(*t->tiles));
		if (t->tiles != NULL)
			t->tiles[t->count++] = tile;
	}
}

static int
tile_order(const void *left, const void *right)
{
	const struct tile *a = left, *b = right;

	if (a->host != b->host)
		return a->host < b->host ? -1 : 1;
	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	if (a->core != b->core)
		return a->core < b->core ? -1 : 1;
	return (a->thing.id > b->thing.id) - (a->thing.id < b->thing.id);
}

static void
topology_sort(struct topology *t)
{
	if (t->count > 0)
		qsort(t->tiles, t->count, sizeof(*t->tiles), tile_order);
	for (size_t n = 0; n < t->count; n++) {
		struct host *host = &t->hosts[t->tiles[n].host];

		if (host->tiles++ == 0)
			host->tile = n;
	}
}

/* Returns the tiles of a host at a place, and on a core, or in a package. */
static struct tiles
tiles_of(const struct topology *t, const struct host *host, enum place place,
    uint32_t core)
{
	struct tiles of = { .count = 0 };

	for (size_t n = host->tile; n < host->tile + host->tiles; n++) {
		const struct tile *tile = &t->tiles[n];

		if (tile->place != place ||
		    (place <= PLACE_PACKAGE && tile->core != core))
			continue;
		if (of.count++ == 0)
			of.tiles = tile;
	}
	return of;
}

/* Equal cells that fill a box. */
struct grid {
	struct esv_box box;
	uint32_t columns, rows;
};

/* Chooses the number of columns for which cells come closest to ASPECT. */
static struct grid
grid_fit(struct esv_box box, size_t count)
{
	double columns =
	    sqrt((double)count * box.width / fmax(ASPECT * box.height, 1));
	struct grid grid = { .box = box };

	grid.columns = columns < 1.5 ? 1 : (uint32_t)(columns + 0.5);
	if (grid.columns > count)
		grid.columns = count > 0 ? (uint32_t)count : 1;
	grid.rows = (uint32_t)((count + grid.columns - 1) / grid.columns);
	/* The same number of rows with fewer empty cells. */
	if (grid.rows > 0)
		grid.columns = (uint32_t)((count + grid.rows - 1) / grid.rows);
	return grid;
}

static struct esv_box
grid_cell(const struct grid *grid, size_t n, double gap)
{
	double width = grid->box.width / grid->columns;
	double height = grid->box.height / grid->rows;

	return (
	    struct esv_box){ grid->box.x + width * (double)(n % grid->columns),
		grid->box.y + height * (double)(n / grid->columns),
		fmax(width - gap, 1), fmax(height - gap, 1) };
}

static struct esv_box
box_inside(struct esv_box box, double margin)
{
	return (struct esv_box){ box.x + margin, box.y + margin,
		fmax(box.width - 2 * margin, 1),
		fmax(box.height - 2 * margin, 1) };
}

/* Takes a part of a box from its bottom. */
static struct esv_box
box_split(struct esv_box *box, double share)
{
	struct esv_box low = *box;

	low.height = box->height * share;
	low.y = box->y + box->height - low.height;
	box->height -= low.height;
	return low;
}

/* Writes a caption at the top of a box if there is room, and takes its height
   from it. */
static void
topology_caption(const struct topology *t, struct esv_box *box,
    const char *text, double least)
{
	if (box->height < LINE + least || box->width < 30)
		return;
	(void)esv_figure_add(t->sheet->figure,
	    &(struct esv_shape){ .kind = ESV_SHAPE_TEXT,
		.role = ESV_ROLE_DIM_TEXT,
		.x = box->x + 2,
		.y = box->y + LINE / 2,
		.width = box->width - 4,
		.text = text,
		.text_size = ESV_LABEL_SMALL_POINTS });
	box->y += LINE;
	box->height -= LINE;
}

/* Writes the name of a tile above its bar, or to its left in a low one, and
   takes its room from the box. */
static void
tile_label(const struct topology *t, const struct tile *tile,
    struct esv_box *box)
{
	bool above = box->height >= LINE + 4;
	double width = above ?
	    box->width :
	    fmin(esv_label_width(tile->label, ESV_LABEL_SMALL_POINTS) + 6,
		box->width / 2);

	if (width < 16 || box->height < LABEL_LEAST)
		return;
	esv_figure_add(t->sheet->figure,
	    &(struct esv_shape){ .kind = ESV_SHAPE_TEXT,
		.role = ESV_ROLE_TEXT,
		.x = box->x + 2,
		.y = box->y + (above ? LINE : box->height) / 2,
		.width = width - 4,
		.thing = tile->thing,
		.tip = tile->tip,
		.text = tile->label,
		.text_size = ESV_LABEL_SMALL_POINTS });
	if (above) {
		box->y += LINE;
		box->height = fmin(box->height - LINE, BAR);
	} else {
		box->x += width;
		box->width -= width;
	}
}

static void
tile_draw(const struct topology *t, const struct tile *tile, struct esv_box box)
{
	static const int roles[PARTS] = { ESV_ROLE_WAITING,
		ESV_ROLE_COMMUNICATION, ESV_ROLE_GREY + 3 };
	struct esv_figure *figure = t->sheet->figure;
	double all = 0, at = 0;

	esv_draw_rect(figure, ESV_ROLE_PANEL, box, tile->thing, tile->tip);
	tile_label(t, tile, &box);
	for (int n = 0; n < PARTS; n++)
		all += tile->parts[n];
	if (all <= 0)
		esv_draw_rect(figure, ESV_ROLE_MISSING, box, tile->thing,
		    tile->tip);
	for (int n = 0; n < PARTS && all > 0; n++) {
		double width = tile->parts[n] / all * box.width;

		if (width > 0)
			esv_draw_rect(figure, roles[n],
			    (struct esv_box){ box.x + at, box.y, width,
				box.height },
			    tile->thing, tile->tip);
		at += width;
	}
}

static void
tiles_draw(const struct topology *t, struct tiles of, struct esv_box box)
{
	struct grid grid = grid_fit(box, of.count);

	for (size_t n = 0; n < of.count; n++)
		tile_draw(t, &of.tiles[n], grid_cell(&grid, n, 2));
}

static void
core_draw(const struct topology *t, const struct host *host, uint32_t n,
    struct esv_box box)
{
	struct tiles of = tiles_of(t, host, PLACE_CORE, n);
	const char *name;

	esv_draw_frame(t->sheet->figure, ESV_ROLE_GRID, box, 1);
	box = box_inside(box, 2);
	name = esv_figure_printf(t->sheet->figure, "core %" PRId64,
	    t->cores[n].core);
	if (esv_label_width(name, ESV_LABEL_SMALL_POINTS) > box.width - 4)
		name += strlen("core ");
	topology_caption(t, &box, name, of.count == 0 ? 0 : 1.5 * LINE);
	tiles_draw(t, of, box);
}

/* Returns the share of a box that loose tiles get beside the cells of others:
   room for a caption and a name, if that is not too much. */
static double
loose_share(const struct esv_box *box, size_t tiles, size_t cells)
{
	double share = (double)tiles / (double)(tiles + cells);

	share = fmax(share, fmin(0.4, (2 * LINE + 8) / box->height));
	return cells == 0 ? 1 : fmin(share, 0.6);
}

/* Draws a package: its cores from n on, and threads on several of them. */
static void
package_draw(const struct topology *t, const struct host *host, uint32_t first,
    uint32_t count, struct esv_box box)
{
	struct tiles loose = tiles_of(t, host, PLACE_PACKAGE, first);
	struct grid grid;

	esv_draw_frame(t->sheet->figure, ESV_ROLE_AXIS, box, 1);
	box = box_inside(box, GAP);
	topology_caption(t, &box,
	    esv_figure_printf(t->sheet->figure, "package %" PRId64,
		t->cores[first].package),
	    LINE);
	if (loose.count > 0) {
		struct esv_box low =
		    box_split(&box, loose_share(&box, loose.count, count));

		topology_caption(t, &low, "bound to several cores", LINE);
		tiles_draw(t, loose, low);
	}
	grid = grid_fit(box, count);
	for (uint32_t n = 0; n < count; n++)
		core_draw(t, host, first + n, grid_cell(&grid, n, 2));
}

static void
packages_draw(const struct topology *t, const struct host *host,
    struct esv_box box)
{
	struct grid grid = grid_fit(box, host->packages);
	uint32_t end = host->first + host->cores, place = 0, next;

	for (uint32_t n = host->first; n < end; n = next) {
		for (next = n; next < end &&
		     t->cores[next].package == t->cores[n].package;)
			next++;
		package_draw(t, host, n, next - n,
		    grid_cell(&grid, place++, GAP));
	}
}

/* Draws the threads of a host that are in none of its packages. */
static void
loose_draw(const struct topology *t, const struct host *host, size_t count,
    struct esv_box box)
{
	static const char *const captions[] = { [PLACE_SEVERAL] =
						    "bound to several "
						    "packages, or cores "
						    "that are not known",
		[PLACE_FREE] = "not bound",
		[PLACE_NONE] = "binding not known" };
	struct esv_box all = box;

	for (int place = PLACE_SEVERAL; place <= PLACE_NONE; place++) {
		struct tiles of = tiles_of(t, host, (enum place)place, 0);

		if (of.count == 0)
			continue;
		box.height = all.height * (double)of.count / (double)count;
		all.y = box.y + box.height;
		topology_caption(t, &box, captions[place], LINE);
		tiles_draw(t, of, box);
		box.y = all.y;
	}
}

static void
host_draw(const struct topology *t, const struct host *host, struct esv_box box)
{
	struct esv_figure *figure = t->sheet->figure;
	size_t loose = 0;

	for (size_t n = host->tile; n < host->tile + host->tiles; n++)
		loose += t->tiles[n].place >= PLACE_SEVERAL;
	esv_draw_frame(figure, ESV_ROLE_TEXT, box, 1);
	box = box_inside(box, GAP + 1);
	topology_caption(t, &box,
	    host->cores == 0 ?
		esv_figure_printf(figure, "%s: its cores are not known",
		    host->name) :
		esv_figure_printf(figure, "%s: packages %u, cores %u, %s %zu",
		    host->name, host->packages, host->cores,
		    esv__sheet_words(t->sheet, "threads"), host->tiles),
	    LINE);
	if (loose > 0)
		loose_draw(t, host, loose,
		    box_split(&box,
			loose == host->tiles && host->cores > 0 ?
			    LOOSE_MOST :
			    loose_share(&box, loose, host->cores)));
	if (host->cores > 0)
		packages_draw(t, host, box);
}

/* Draws each host as one bar. */
static void
topology_folded(struct topology *t)
{
	struct esv__sheet *sheet = t->sheet;
	uint32_t most =
	    (uint32_t)(sheet->box.width * sheet->box.height / HOST_LEAST);
	uint32_t count = t->host_count < most ? t->host_count : most;
	struct grid grid;

	esv__sheet_say(sheet, ESV_ROLE_WARNING,
	    esv_figure_printf(sheet->figure,
		"%u cores and %zu %s are too many to draw: each host is "
		"one bar%s.",
		t->core_count, t->count, esv__sheet_words(sheet, "threads"),
		count == t->host_count ? "" : ", and the last are left out"));
	grid = grid_fit(sheet->box, count);
	for (uint32_t n = 0; n < count; n++) {
		const struct host *host = &t->hosts[n];
		struct tile all = { .label = host->name,
			.thing = ESV_THING(ESV_THING_HOST, host->id) };

		for (size_t k = host->tile; k < host->tile + host->tiles; k++)
			for (int p = 0; p < PARTS; p++)
				all.parts[p] += t->tiles[k].parts[p];
		all.tip = esv_figure_printf(sheet->figure,
		    "%s: packages %u, cores %u, %s %zu; %s", host->name,
		    host->packages, host->cores,
		    esv__sheet_words(sheet, "threads"), host->tiles,
		    tile_shares(sheet, all.parts));
		tile_draw(t, &all, grid_cell(&grid, n, 2));
	}
}

static void
topology_legend(const struct topology *t)
{
	struct esv_legend_entry entries[PARTS + 1] = {
		{ ESV_ROLE_WAITING, "waiting for others", ESV_NOTHING },
		{ ESV_ROLE_COMMUNICATION, "other communication", ESV_NOTHING },
		{ ESV_ROLE_GREY + 3, "computation", ESV_NOTHING },
		{ ESV_ROLE_MISSING, "no operations", ESV_NOTHING },
	};
	size_t count = PARTS;

	for (size_t n = 0; n < t->count && count == PARTS; n++)
		count += t->tiles[n].parts[WAIT] +
			t->tiles[n].parts[COMMUNICATION] +
			t->tiles[n].parts[COMPUTATION] <=
		    0;
	esv_legend_draw(t->sheet->figure, &t->sheet->box, entries, count);
}

static void
topology_draw(struct esv__sheet *sheet)
{
	struct topology t = { .sheet = sheet };
	struct esv__query q;
	struct grid grid;

	topology_hosts(&t);
	topology_cores(&t);
	topology_threads(&t);
	if (sheet->figure->status != PATHS_OK || t.host_count == 0 ||
	    t.count == 0)
		return;
	topology_sort(&t);
	esv__query_begin(&q, sheet, esv__sql_topology_counts);
	esv__sheet_say(sheet, ESV_ROLE_TEXT,
	    esv__sheet_words(sheet, esv__query_take_text(&q)));
	topology_legend(&t);
	esv__sheet_skip(sheet, GAP);
	if (sheet->box.width * sheet->box.height /
		((double)t.core_count + (double)t.count) <
	    AREA_LEAST) {
		topology_folded(&t);
		return;
	}
	grid = grid_fit(sheet->box, t.host_count);
	for (uint32_t n = 0; n < t.host_count; n++)
		host_draw(&t, &t.hosts[n], grid_cell(&grid, n, 2 * GAP));
}

const struct esv_chart esv__chart_topology = {
	.name = "topology",
	.title = "Topology",
	.about = "Shows the hosts, their packages and cores, and the threads "
		 "that are bound to them.  The bar of a thread is its time: "
		 "waiting, other communication, and computation.",
	.tables = "binding host_pu host thread load_balance",
	.applies = "EXISTS (SELECT 1 FROM binding)",
	.nothing = "The run has no threads.",
	.measured = true,
	.timed = true,
	.summed = true,
	.draw = topology_draw,
};
