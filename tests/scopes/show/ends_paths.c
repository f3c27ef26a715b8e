/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/show/ends_paths.c - threads that hang or die, as they are told
 *
 *	ends_paths FOLDER THREAD=WORD,WORD...
 *
 * Words: rELEMENT, wELEMENT and xELEMENT read, write and exchange one i64;
 * sleep sleeps for ever, outside of operations, and spin computes; sN raises
 * signal N; eN calls exit(N), qN _exit(N), and abort abort(3); waitFILE waits
 * until the file FOLDER/FILE exists.
 * Before its last word, a thread makes the file FOLDER/THREAD.
 */

#include "libpaths/log.h"
#include "libpaths/path.h"
#include "libpaths/program.h"
#include "libpaths/thread.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct ends_job {
	const char *folder;
	char **words;
	struct paths_program *program;
};

/* A thread of the map. */
struct member {
	const struct ends_job *job;
	const char *name;
	struct paths_thread *thread;
	pthread_t id;
};

/* Others end with the process, as they lose it. */
static void
check(paths_status st)
{
	if (st == PATHS_OK)
		return;
	fprintf(stderr, "ends_paths: %s\n", paths_log_last());
	_exit(1);
}

static void
nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
}

static void
make_file(const struct ends_job *job, const char *name)
{
	char file[4096];

	snprintf(file, sizeof(file), "%s/%s", job->folder, name);
	close(open(file, O_WRONLY | O_CREAT, 0600));
}

static void
wait_file(const struct ends_job *job, const char *name)
{
	char file[4096];

	snprintf(file, sizeof(file), "%s/%s", job->folder, name);
	while (access(file, F_OK) != 0)
		nap();
}

static void
operate(char kind, struct paths_path *path)
{
	int64_t value = 1;

	check(kind == 'r'   ? paths_path_read(path, &value, sizeof(value)) :
		kind == 'w' ? paths_path_write(path, &value, sizeof(value)) :
			      paths_path_exchange(path, &value, sizeof(value)));
}

/* Does what one word says.  The paths of a thread are opened once. */
static void
obey(const struct member *me, const char *word, struct paths_path **paths)
{
	unsigned element = (unsigned)(word[1] == 'e' ? word[2] - '0' : 0) & 7;

	if (strncmp(word, "wait", 4) == 0)
		wait_file(me->job, word + 4);
	else if (strcmp(word, "sleep") == 0)
		for (;;)
			pause();
	else if (strcmp(word, "spin") == 0)
		for (volatile long n = 0;; n++)
			;
	else if (strcmp(word, "abort") == 0)
		abort();
	else if (word[0] == 's')
		raise(atoi(word + 1));
	else if (word[0] == 'e')
		exit(atoi(word + 1));
	else if (word[0] == 'q')
		_exit(atoi(word + 1));
	else {
		if (paths[element] == NULL)
			check(paths_path_open(me->thread, word + 1,
			    &paths[element]));
		operate(word[0], paths[element]);
	}
}

static void *
work(void *arg)
{
	struct member *me = arg;
	struct paths_path *paths[8] = { NULL };
	char *words = NULL, *word, *next = NULL;
	size_t bytes = strlen(me->name);

	check(paths_thread_open(me->job->program, me->name, &me->thread));
	for (char **at = me->job->words; *at != NULL; at++)
		if (strncmp(*at, me->name, bytes) == 0 && (*at)[bytes] == '=')
			words = strdup(*at + bytes + 1);
	for (word = words == NULL ? NULL : strtok_r(words, ",", &next);
	     word != NULL;) {
		const char *now = word;

		word = strtok_r(NULL, ",", &next);
		if (word == NULL)
			make_file(me->job, me->name);
		obey(me, now, paths);
	}
	free(words);
	paths_thread_close(me->thread);
	return NULL;
}

int
main(int argc, char **argv)
{
	struct ends_job job = { argv[1], argv + 2, NULL };
	struct member members[8];
	const struct paths_map *map;
	uint32_t count = 0;

	if (argc < 3)
		return 2;
	check(paths_program_open(NULL, NULL, &job.program));
	map = paths_program_map(job.program);
	for (uint32_t t = 0; t < map->thread_count && count < 8; t++) {
		struct member *me = &members[count];

		if (map->threads[t].process !=
		    paths_program_process(job.program))
			continue;
		count++;
		*me = (struct member){ &job, map->threads[t].name, NULL, 0 };
		if (pthread_create(&me->id, NULL, work, me) != 0)
			return 2;
	}
	for (uint32_t t = 0; t < count; t++)
		pthread_join(members[t].id, NULL);
	paths_program_close(job.program);
	return 0;
}
