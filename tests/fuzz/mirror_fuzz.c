/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/mirror_fuzz.c - copies that are written from any batch are event
 * spaces, or are refused
 *
 * Input	a batch
 */

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/repair.h"

#include "scopes/gather/mirror_private.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define BATCH_MOST 65536u

/* Size limit of a copy: definitions may tell any size. */
#define FILE_MOST (16u << 20)

#define PIECE 65536u

static char folder[256];

static void
fuzz_note(void *to, const char *text)
{
	(void)to;
	MUST(strlen(text) > 0);
}

/* Makes a folder for the copies, and limits their size. */
static void
fuzz_begin(void)
{
	const struct rlimit limit = { FILE_MOST, FILE_MOST };
	const char *top = getenv("TMPDIR");

	if (folder[0] != '\0')
		return;
	signal(SIGXFSZ, SIG_IGN);
	MUST(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	snprintf(folder, sizeof(folder), "%.200s/mirror.XXXXXX",
	    top != NULL ? top : "/tmp");
	MUST(mkdtemp(folder) != NULL);
}

/* Reads all that a copy has. */
static void
fuzz_read(const struct es_space *space)
{
	static char piece[PIECE];
	struct es_space_collector c;
	struct es_space_rows rows;
	struct es_space_info info;
	unsigned touched = 0;

	es_space_info(space, &info);
	MUST(info.copy != ES_COPY_NONE);
	for (uint32_t n = 0; es_space_collector(space, n, &c) == PATHS_OK;
	     n++) {
		struct es_space_run run = { .first = c.first,
			.count = PIECE / c.type->bytes };

		MUST(c.reset <= c.first && c.first <= c.count);
		MUST(c.count - c.first <= c.capacity);
		MUST(es_space_read(space, n, &run, piece) == PATHS_OK);
	}
	for (uint32_t n = 0; es_space_rows(space, n, &rows) == PATHS_OK; n++)
		for (uint64_t b = 0; b < rows.count * rows.row_bytes; b++)
			touched += ((const uint8_t *)rows.rows)[b];
	MUST(touched < UINT32_MAX);
}

/* Reads and removes the files of the folder. */
static void
fuzz_end(void)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	struct es_space *space;
	char file[600];

	MUST(dir != NULL);
	while ((entry = readdir(dir)) != NULL) {
		snprintf(file, sizeof(file), "%s/%s", folder, entry->d_name);
		if (strstr(entry->d_name, ".space") != NULL &&
		    es_space_open(file, &space) == PATHS_OK) {
			fuzz_read(space);
			es_space_close(space);
		}
		if (entry->d_name[0] != '.')
			unlink(file);
	}
	closedir(dir);
	/* Nothing unfinished stays. */
	MUST(rmdir(folder) == 0);
	folder[0] = '\0';
}

/* Corrects the checksums of definitions that are in one record. */
size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	static _Alignas(8) uint8_t copy[BATCH_MOST];
	const struct es__record *r;
	struct es__batch b;
	paths_status st = PATHS_OK;

	size = LLVMFuzzerMutate(data, size, most);
	if (size > sizeof(copy) || seed % 8 == 0)
		return size;
	memcpy(copy, data, size);
	es__batch_init(&b, copy, size);
	while ((r = es__batch_next(&b, &st)) != NULL)
		if (r->kind == ES__RECORD_DEFINITIONS)
			fuzz_repair(data + ((const uint8_t *)(r + 1) - copy),
			    r->count);
	return size;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct es__mirror *mirror;
	bool more;
	/* Records are aligned. */
	void *copy = malloc(size + 1);

	MUST(copy != NULL);
	if (size > BATCH_MOST) {
		free(copy);
		return 0;
	}
	memcpy(copy, data, size);
	fuzz_begin();
	MUST(es__mirror_open(&(struct es__mirror_to){ folder, NULL, NULL },
		 fuzz_note, NULL, &mirror) == PATHS_OK);
	/* Twice: what was copied is there already. */
	for (int n = 0; n < 2; n++)
		if (es__mirror_batch(mirror, copy, size, &more) == PATHS_OK)
			es__mirror_seal(mirror);
	es__mirror_close(mirror);
	fuzz_end();
	free(copy);
	return 0;
}
