/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/colour.c - divides operations into the classes by which a
 * timeline is coloured
 *
 * The class of a call site or communicator is a hash of its description, modulo
 * the number of classes.  If this class is taken, the next free class is used.
 * Items are taken in the order of their hashes, so that runs with the same
 * sites have the same classes.
 */

#include "scopes/colour.h"

#include "scopes/run/mpi_private.h"
#include "scopes/run/run_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

/* Largest number of a site or communicator of a process.  Larger ones are
   damage. */
#define MOST_IDS (1u << 20)

/* Classes by number. */
struct classes {
	uint8_t *of;
	uint32_t count;
};

struct es_colour_lens {
	const struct es_mpi *mpi;
	uint32_t rank;
	enum es_operation_type type;
	uint32_t path; /* class of its path */
	/* Indexed by the numbers that the process uses. */
	const struct classes *sites, *comms;
};

struct es_colours {
	const struct es_mpi *mpi;    /* NULL: no MPI processes */
	bool paths, calls;	     /* there are operations of the type */
	struct classes sites, comms; /* indexed by numbers of the run */
	struct classes *local_sites, *local_comms; /* of each rank */
	uint32_t rank_count;
	struct es_colour_lens *lenses;
};

/* A site or a communicator. */
struct item {
	uint64_t hash;
	uint32_t id;
};

/* Continues an FNV-1a hash. */
static uint64_t
hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
	const uint8_t *at = bytes;

	for (size_t n = 0; n < count; n++)
		hash = (hash ^ at[n]) * UINT64_C(0x100000001b3);
	return hash;
}

static uint64_t
hash_text(uint64_t hash, const char *text)
{
	return hash_bytes(hash, text, strlen(text) + 1);
}

/* Continues the hash with a frame: its source, or the name of its module
   without folder, and its offset. */
static uint64_t
hash_frame(uint64_t hash, const struct es_mpi *mpi,
    const struct es_mpi_frame *frame)
{
	const struct es_mpi_source_def *source =
	    es_mpi_source(mpi, frame->source);
	const struct es_mpi_module_def *module =
	    es_mpi_module(mpi, frame->module);
	const char *name;

	if (source != NULL) {
		hash =
		    hash_text(hash_text(hash, source->function), source->file);
		return hash_bytes(hash, &source->line, sizeof(source->line));
	}
	if (module == NULL)
		return hash;
	name = strrchr(module->path, '/');
	hash = hash_text(hash, name == NULL ? module->path : name + 1);
	return hash_bytes(hash, &frame->offset, sizeof(frame->offset));
}

/* Mixes all bits into the low ones, because a modulus depends mostly on
   these. */
static uint64_t
hash_end(uint64_t hash)
{
	hash = (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

static uint64_t
hash_site(const struct es_mpi *mpi, const struct es_mpi_site_def *site)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (uint32_t n = 0; n < site->frame_count; n++)
		hash = hash_frame(hash, mpi, &site->frames[n]);
	return hash_end(hash);
}

static int
item_order(const void *left, const void *right)
{
	const struct item *a = left, *b = right;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

/* Gives items classes from `first` on.  Uses a class twice only if no class is
   free. */
static void
classes_deal(struct classes *to, struct item *items, uint32_t count,
    uint32_t first)
{
	uint32_t of = ES_COLOUR_NONE - first, taken = 0;

	if (count > 0)
		qsort(items, count, sizeof(*items), item_order);
	for (uint32_t n = 0; n < count; n++) {
		uint32_t class = (uint32_t)(items[n].hash % of);

		while (n < of && (taken >> class & 1) != 0)
			class = (class + 1) % of;
		taken |= 1u << class;
		to->of[items[n].id] = (uint8_t)(first + class);
	}
}

static bool
classes_make(struct classes *classes, size_t count)
{
	classes->of = malloc(count + 1);
	if (classes->of == NULL)
		return false;
	memset(classes->of, ES_COLOUR_NONE, count + 1);
	classes->count = (uint32_t)count;
	return true;
}

static uint32_t
classes_get(const struct classes *classes, uint32_t id)
{
	return classes != NULL && id < classes->count ? classes->of[id] :
							ES_COLOUR_NONE;
}

/* Gives classes to the sites; site 0 is none. */
static bool
colours_sites(struct es_colours *c)
{
	const struct es_mpi *mpi = c->mpi;
	struct item *items = calloc(mpi->site_count + 1, sizeof(*items));
	uint32_t count = 0;

	if (items == NULL || !classes_make(&c->sites, mpi->site_count)) {
		free(items);
		return false;
	}
	for (uint32_t n = 1; n < mpi->site_count; n++)
		items[count++] =
		    (struct item){ hash_site(mpi, &mpi->sites[n]), n };
	classes_deal(&c->sites, items, count, 0);
	free(items);
	return true;
}

/* Gives classes to the communicators; MPI_COMM_NULL has none. */
static bool
colours_comms(struct es_colours *c)
{
	const struct es_mpi *mpi = c->mpi;
	struct item *items = calloc(mpi->comm_count + 1, sizeof(*items));
	uint32_t count = 0;

	if (items == NULL || !classes_make(&c->comms, mpi->comm_count)) {
		free(items);
		return false;
	}
	for (uint32_t n = ES_MPI_RUN_SELF + 1; n < mpi->comm_count; n++)
		if (mpi->comms[n].same == PATHS_NONE)
			items[count++] =
			    (struct item){ hash_end(mpi->comms[n].identity),
				    n };
	classes_deal(&c->comms, items, count, 2);
	if (mpi->comm_count > ES_MPI_RUN_SELF) {
		c->comms.of[ES_MPI_RUN_WORLD] = 0;
		c->comms.of[ES_MPI_RUN_SELF] = 1;
	}
	free(items);
	return true;
}

/* Makes the table of classes that is indexed by the numbers of a process. */
static bool
colours_local(struct classes *to, const struct es__mpi_pairs *pairs)
{
	uint32_t most =
	    pairs->count == 0 ? 0 : pairs->pairs[pairs->count - 1].from;

	return classes_make(to, (most < MOST_IDS ? most : MOST_IDS) + 1);
}

static bool
colours_rank(struct es_colours *c, uint32_t rank)
{
	const struct es__mpi_local *local = &c->mpi->locals[rank];
	struct classes *sites = &c->local_sites[rank];
	struct classes *comms = &c->local_comms[rank];

	if (!colours_local(sites, &local->sites) ||
	    !colours_local(comms, &local->comms))
		return false;
	for (size_t n = 0; n < local->sites.count; n++) {
		const struct es__mpi_pair *pair = &local->sites.pairs[n];

		if (pair->from < sites->count)
			sites->of[pair->from] =
			    (uint8_t)classes_get(&c->sites, pair->to);
	}
	for (size_t n = 0; n < local->comms.count; n++) {
		uint32_t id = local->comms.pairs[n].from;

		if (id < comms->count)
			comms->of[id] = (uint8_t)classes_get(&c->comms,
			    es_mpi_find_comm(c->mpi, rank, id).comm);
	}
	return true;
}

static bool
colours_mpi(struct es_colours *c)
{
	bool all = colours_sites(c) && colours_comms(c);

	c->local_sites =
	    calloc((size_t)c->mpi->rank_count + 1, sizeof(*c->local_sites));
	c->local_comms =
	    calloc((size_t)c->mpi->rank_count + 1, sizeof(*c->local_comms));
	all = all && c->local_sites != NULL && c->local_comms != NULL;
	for (uint32_t n = 0; all && n < c->mpi->rank_count; n++) {
		all = colours_rank(c, n);
		c->rank_count = n + 1;
	}
	return all;
}

static void
colours_look(struct es_colours *c, const struct es_collector *of,
    struct es_colour_lens *lens)
{
	bool calls = es_operation_type(of) == ES_OPERATION_MPI;

	*lens = (struct es_colour_lens){ .rank = of->process,
		.type = es_operation_type(of),
		.path = of->path == PATHS_NONE ? ES_COLOUR_NONE :
						 of->path % ES_COLOUR_NONE };
	if (calls && of->process < c->rank_count) {
		lens->mpi = c->mpi;
		lens->sites = &c->local_sites[of->process];
		lens->comms = &c->local_comms[of->process];
	}
	c->calls |= calls;
	c->paths |= lens->type == ES_OPERATION_PATH;
}

paths_status
es_colours_open(const struct es_run *run, struct es_colours **colours)
{
	struct es_colours *c = calloc(1, sizeof(*c));
	bool all = c != NULL;

	if (all) {
		c->mpi = es_run_mpi(run);
		c->lenses = calloc((size_t)run->collector_count + 1,
		    sizeof(*c->lenses));
		all = c->lenses != NULL && (c->mpi == NULL || colours_mpi(c));
	}
	if (!all) {
		es_colours_close(c);
		return paths_log_fail(PATHS_ENOMEM, "no memory for colours");
	}
	for (uint32_t n = 0; n < run->collector_count; n++)
		colours_look(c, &run->collectors[n], &c->lenses[n]);
	*colours = c;
	return PATHS_OK;
}

void
es_colours_close(struct es_colours *colours)
{
	if (colours == NULL)
		return;
	for (uint32_t n = 0; n < colours->rank_count; n++) {
		free(colours->local_sites[n].of);
		free(colours->local_comms[n].of);
	}
	free(colours->local_sites);
	free(colours->local_comms);
	free(colours->sites.of);
	free(colours->comms.of);
	free(colours->lenses);
	free(colours);
}

const struct es_colour_lens *
es_colours_lens(const struct es_colours *colours, uint32_t collector)
{
	return &colours->lenses[collector];
}

static uint32_t
class_of_bytes(uint64_t bytes)
{
	uint32_t log2 = 63u - (uint32_t)__builtin_clzll(bytes | 1);
	uint32_t class = log2 < 6 ? 0 : 1 + (log2 - 6) / 3;

	if (bytes == 0)
		return ES_COLOUR_NONE;
	return class < ES_COLOUR_NONE ? class : ES_COLOUR_NONE - 1;
}

static uint32_t
class_of_call(const struct es_colour_lens *lens, enum es_colour colour,
    const struct es_tuple_mpi *call)
{
	int32_t peer;

	switch (colour) {
	case ES_COLOUR_SITE:
		return classes_get(lens->sites, call->site);
	case ES_COLOUR_COMM:
		return classes_get(lens->comms, call->comm);
	case ES_COLOUR_BYTES:
		return class_of_bytes(call->bytes);
	case ES_COLOUR_PEER:
		if (lens->mpi == NULL || call->peer < 0)
			return ES_COLOUR_NONE;
		peer = es_mpi_find_peer(lens->mpi, lens->rank, call->peer);
		return peer < 0 ? ES_COLOUR_NONE :
				  (uint32_t)peer % ES_COLOUR_NONE;
	default:
		return ES_COLOUR_NONE;
	}
}

uint32_t
es_colour_class(const struct es_colour_lens *lens, enum es_colour colour,
    const struct es_operation *operation)
{
	const struct es_tuple_path *tuple = (const void *)operation;

	if (lens->type == ES_OPERATION_MPI)
		return class_of_call(lens, colour, (const void *)operation);
	switch (colour) {
	case ES_COLOUR_SITE:
		return lens->path;
	case ES_COLOUR_COMM:
		return tuple->element % ES_COLOUR_NONE;
	case ES_COLOUR_BYTES:
		return class_of_bytes(tuple->bytes);
	case ES_COLOUR_STEP:
		return tuple->step % ES_COLOUR_NONE;
	default:
		return ES_COLOUR_NONE;
	}
}

uint32_t
es_colours_class_of(const struct es_colours *colours, enum es_colour colour,
    uint32_t id)
{
	if (colour == ES_COLOUR_SITE)
		return classes_get(&colours->sites, id);
	if (colour == ES_COLOUR_COMM)
		return classes_get(&colours->comms, id);
	return id % ES_COLOUR_NONE;
}

bool
es_colours_has(const struct es_colours *colours, enum es_colour colour)
{
	if (colour == ES_COLOUR_STEP)
		return colours->paths;
	return colour == ES_COLOUR_PEER ? colours->calls : true;
}

const char *
es_colour_name(uint32_t colour)
{
	static const char *const names[ES_COLOURS] = {
		[ES_COLOUR_SITE] = "site",
		[ES_COLOUR_COMM] = "communicator",
		[ES_COLOUR_PEER] = "peer",
		[ES_COLOUR_BYTES] = "bytes",
		[ES_COLOUR_STEP] = "step",
	};

	return colour < ES_COLOURS ? names[colour] : NULL;
}

bool
es_colour_read(const char *word, size_t length, uint32_t *colour,
    uint32_t *class_number)
{
	for (uint32_t n = 0; n < ES_COLOURS; n++) {
		const char *name = es_colour_name(n);
		size_t stem = strlen(name);

		if (length != stem + 2 || strncmp(name, word, stem) != 0 ||
		    word[stem] != '-' || word[stem + 1] < '0' ||
		    word[stem + 1] > '9')
			continue;
		*colour = n;
		*class_number = (uint32_t)(word[stem + 1] - '0');
		return true;
	}
	return false;
}
