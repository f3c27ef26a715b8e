/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/gather/read_tree.c - reads the path `view` of the thread `scope`
 * of a gather tree until all processes have ended, and prints what came: for
 * each process its tuples, those that were lost and those left out
 */

#include "tests/scopes/gather/tree.h"

#include <poll.h>

#define SPACES 16

struct space {
	uint64_t number;
	char name[256];
};

/* Notes the names of the processes in a batch. */
static uint32_t
read_names(const void *tuple, size_t bytes, struct space *spaces,
    uint32_t count)
{
	const struct es__batch_space *space;
	const struct es__record *r;
	struct es__batch b;
	paths_status st = PATHS_OK;

	es__batch_init(&b, tuple, bytes);
	while ((r = es__batch_next(&b, &st)) != NULL) {
		if (r->kind != ES__RECORD_SPACE || count == SPACES)
			continue;
		space = es__batch_payload(r);
		spaces[count].number = r->space;
		snprintf(spaces[count++].name, sizeof(spaces[0].name), "%s",
		    space->process_name);
	}
	return count;
}

int
main(void)
{
	struct paths_program *program;
	struct paths_path *path;
	struct space spaces[SPACES];
	uint32_t count = 0;
	uint64_t ended = 0;

	if (paths_program_open(NULL, NULL, &program) != PATHS_OK) {
		fprintf(stderr, "%s\n", paths_log_last());
		return 1;
	}
	path = team_path(team_thread(program, "scope"), "view");
	struct tree t = { .count = 0 };
	do {
		uint32_t room = paths_path_type(path)->bytes;
		void *tuple = malloc(room);
		paths_status st = paths_path_read(path, tuple, room);

		if (tuple == NULL || st != PATHS_OK) {
			fprintf(stderr, "%s\n", paths_path_why(path));
			return 1;
		}
		count =
		    read_names(tuple, paths_path_bytes(path), spaces, count);
		tree_batch(&t, tuple, paths_path_bytes(path));
		free(tuple);
		ended = t.closed + t.killed;
		if (!t.more && ended < t.spaces)
			(void)poll(NULL, 0, 10);
	} while (t.more || ended < t.spaces || t.spaces == 0);
	for (uint32_t n = 0; n < count; n++) {
		uint64_t tuples = 0, lost = 0, left = 0, counted = 0;

		for (uint32_t c = 0; c < t.count; c++) {
			const struct tree_collector *from = &t.collectors[c];

			if (from->space != spaces[n].number)
				continue;
			tuples += from->tuples;
			lost += from->lost;
			left += from->left;
			counted += from->counted;
		}
		printf("%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
		    spaces[n].name, tuples, lost, left, counted);
	}
	printf("backward %" PRIu64 "\n%s", t.backward, t.notes);
	paths_path_close(path);
	paths_program_close(program);
	tree_fini(&t);
	return 0;
}
