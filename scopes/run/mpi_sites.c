/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mpi_sites.c - the modules, sources and call sites of a run, merged
 * over its ranks
 *
 * Modules with the same build id are one; without a build id, those with the
 * same path, size and time of their file.  Sites with the same modules and
 * offsets in all frames are one.  Places in sources with the same function,
 * file and line are one.
 */

#include "scopes/run/mpi_sites_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

/* Longer build ids are damage. */
#define BUILD_ID_BYTES_MAX 64u

static paths_status
site_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for call sites");
}

static paths_status
module_add(struct es_mpi *mpi, const struct es_mpi_module *head,
    const char *build_id, const char *path)
{
	struct es_mpi_module_def def = { .file_bytes = head->file_bytes,
		.file_seconds = head->file_seconds };
	char hex[2 * BUILD_ID_BYTES_MAX + 1] = "";

	for (uint32_t n = 0; n < head->build_id_bytes; n++) {
		static const char digits[] = "0123456789abcdef";
		uint8_t byte = (uint8_t)build_id[n];

		hex[2 * n] = digits[byte >> 4];
		hex[2 * n + 1] = digits[byte & 15];
	}
	def.build_id = es__intern_text(&mpi->texts, hex);
	def.path = es__intern_text(&mpi->texts, path);
	if (def.build_id == NULL || def.path == NULL ||
	    !paths__array_grow(&mpi->modules, mpi->module_count,
		&mpi->module_room, sizeof(def)))
		return site_no_memory();
	mpi->modules[mpi->module_count++] = def;
	return PATHS_OK;
}

/* Finds the number of a module in the run, or adds its key. */
static paths_status
module_find(struct es_mpi *mpi, const struct es_mpi_module *head,
    const char *build_id, const char *path, uint32_t *number)
{
	size_t length = strlen(path);
	struct {
		uint64_t bytes, seconds;
		char path[];
	} * key;
	paths_status st;

	if (head->build_id_bytes > 0)
		return es__intern_put(&mpi->module_keys, build_id,
		    head->build_id_bytes, number);
	key = calloc(1, sizeof(*key) + BUILD_ID_BYTES_MAX + length);
	if (key == NULL)
		return site_no_memory();
	key->bytes = head->file_bytes;
	key->seconds = head->file_seconds;
	memcpy(key->path, path, length);
	/* The key is longer than any build id, so it never equals one. */
	st = es__intern_put(&mpi->module_keys, key,
	    sizeof(*key) + BUILD_ID_BYTES_MAX + length, number);
	free(key);
	return st;
}

paths_status
es__mpi_sites_take_module(struct es_mpi *mpi, uint32_t rank,
    const struct es__mpi_log *log)
{
	struct es_mpi_module head;
	const char *build_id, *path;
	uint32_t number;
	paths_status st;

	if (log->count < sizeof(head))
		return PATHS_EDAMAGED;
	memcpy(&head, log->bytes, sizeof(head));
	if (head.build_id_bytes > BUILD_ID_BYTES_MAX)
		return PATHS_EDAMAGED;
	build_id = log->bytes + sizeof(head);
	path = es__mpi_log_text(log, sizeof(head) + head.build_id_bytes);
	if (path == NULL)
		return PATHS_EDAMAGED;
	st = module_find(mpi, &head, build_id, path, &number);
	if (st == PATHS_OK && number == mpi->module_count)
		st = module_add(mpi, &head, build_id, path);
	return st == PATHS_OK ?
	    es__mpi_pairs_add(&mpi->locals[rank].modules, head.id, number) :
	    st;
}

static paths_status
source_add(struct es_mpi *mpi, const char *function, const char *file,
    uint32_t line)
{
	struct es_mpi_source_def def = { .line = line };

	def.function = es__intern_name(&mpi->texts, function);
	def.file = es__intern_name(&mpi->texts, file);
	if (def.function == NULL || def.file == NULL ||
	    !paths__array_grow(&mpi->sources, mpi->source_count,
		&mpi->source_room, sizeof(def)))
		return site_no_memory();
	mpi->sources[mpi->source_count++] = def;
	return PATHS_OK;
}

/* Finds the number of a source in the run, or adds its key: the line and both
   texts. */
static paths_status
source_find(struct es_mpi *mpi, const struct es_mpi_source *head,
    const char *texts, uint32_t *number)
{
	size_t bytes = head->function_bytes + (size_t)head->file_bytes;
	char *key = malloc(sizeof(head->line) + bytes);
	paths_status st;

	if (key == NULL)
		return site_no_memory();
	memcpy(key, &head->line, sizeof(head->line));
	memcpy(key + sizeof(head->line), texts, bytes);
	st = es__intern_put(&mpi->source_keys, key, sizeof(head->line) + bytes,
	    number);
	free(key);
	return st;
}

paths_status
es__mpi_sites_take_source(struct es_mpi *mpi, uint32_t rank,
    const struct es__mpi_log *log)
{
	struct es_mpi_source head;
	const char *texts = log->bytes + sizeof(head);
	uint32_t number;
	paths_status st;

	if (log->count < sizeof(head))
		return PATHS_EDAMAGED;
	memcpy(&head, log->bytes, sizeof(head));
	if (head.function_bytes == 0 || head.file_bytes == 0 ||
	    head.function_bytes + (uint64_t)head.file_bytes >
		log->count - sizeof(head) ||
	    texts[head.function_bytes - 1] != '\0' ||
	    texts[head.function_bytes + head.file_bytes - 1] != '\0')
		return PATHS_EDAMAGED;
	st = source_find(mpi, &head, texts, &number);
	if (st == PATHS_OK && number == mpi->source_count)
		st = source_add(mpi, texts, texts + head.function_bytes,
		    head.line);
	return st == PATHS_OK ?
	    es__mpi_pairs_add(&mpi->locals[rank].sources, head.id, number) :
	    st;
}

/* Replaces the source of a frame by that of the run. */
static paths_status
site_source(const struct es__mpi_local *local, struct es_mpi_frame *frame)
{
	uint32_t number = es__mpi_pairs_find(&local->sources, frame->source);

	if (number == PATHS_NONE)
		return PATHS_EDAMAGED;
	*frame =
	    (struct es_mpi_frame){ .module = UINT32_MAX, .source = number + 1 };
	return PATHS_OK;
}

/* Replaces the modules and sources of frames by those of the run. */
static paths_status
site_frames(const struct es__mpi_local *local, struct es_mpi_frame *frames,
    uint32_t count)
{
	for (uint32_t n = 0; n < count; n++) {
		if (frames[n].source != 0 &&
		    frames[n].source != ES_MPI_FRAME_EXTENSION &&
		    site_source(local, &frames[n]) != PATHS_OK)
			return PATHS_EDAMAGED;
		if (frames[n].module == UINT32_MAX)
			continue;
		frames[n].module =
		    es__mpi_pairs_find(&local->modules, frames[n].module);
		if (frames[n].module == PATHS_NONE)
			return PATHS_EDAMAGED;
	}
	return PATHS_OK;
}

static paths_status
site_merge(struct es_mpi *mpi, const struct es_mpi_frame *frames,
    uint32_t count, uint32_t *number)
{
	paths_status st = es__intern_put(&mpi->site_keys, frames,
	    count * sizeof(*frames), number);

	if (st != PATHS_OK || *number < mpi->site_count)
		return st;
	if (!paths__array_grow(&mpi->sites, mpi->site_count, &mpi->site_room,
		sizeof(*mpi->sites)))
		return site_no_memory();
	mpi->sites[mpi->site_count++] = (struct es_mpi_site_def){
		.frame_count = count,
		.frames = mpi->site_keys.all[*number].bytes,
	};
	return PATHS_OK;
}

paths_status
es__mpi_sites_take(struct es_mpi *mpi, uint32_t rank,
    const struct es__mpi_log *log)
{
	struct es__mpi_local *local = &mpi->locals[rank];
	struct es_mpi_frame *frames;
	struct es_mpi_site head;
	uint32_t number;
	paths_status st;

	if (log->count < sizeof(head))
		return PATHS_EDAMAGED;
	memcpy(&head, log->bytes, sizeof(head));
	if (head.frames == 0 ||
	    head.frames > (log->count - sizeof(head)) / sizeof(*frames))
		return PATHS_EDAMAGED;
	frames = malloc(head.frames * sizeof(*frames));
	if (frames == NULL)
		return site_no_memory();
	memcpy(frames, log->bytes + sizeof(head),
	    head.frames * sizeof(*frames));
	st = site_frames(local, frames, head.frames);
	if (st == PATHS_OK)
		st = site_merge(mpi, frames, head.frames, &number);
	if (st == PATHS_OK)
		st = es__mpi_pairs_add(&local->sites, head.id, number);
	free(frames);
	return st;
}

paths_status
es__mpi_sites_open(struct es_mpi *mpi)
{
	uint32_t number;

	return site_merge(mpi, (const struct es_mpi_frame[1]){ { 0 } }, 0,
	    &number);
}

void
es__mpi_sites_close(struct es_mpi *mpi)
{
	free(mpi->modules);
	free(mpi->sources);
	free(mpi->sites);
}

const struct es_mpi_site_def *
es_mpi_site(const struct es_mpi *mpi, uint32_t n)
{
	return n < mpi->site_count ? &mpi->sites[n] : NULL;
}

const struct es_mpi_module_def *
es_mpi_module(const struct es_mpi *mpi, uint32_t n)
{
	return n < mpi->module_count ? &mpi->modules[n] : NULL;
}

const struct es_mpi_source_def *
es_mpi_source(const struct es_mpi *mpi, uint32_t n)
{
	return n > 0 && n <= mpi->source_count ? &mpi->sources[n - 1] : NULL;
}

uint32_t
es_mpi_find_site(const struct es_mpi *mpi, uint32_t rank, uint32_t id)
{
	return id == 0 ? 0 : es__mpi_pairs_find(&mpi->locals[rank].sites, id);
}
