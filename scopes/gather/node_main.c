/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/node_main.c - gather-node: a process of a gather tree
 *
 * gather-node RUN COPIES ROOT INTERVAL_NS is the program of all processes of
 * the path map of a tree, which an event scope starts.  The process ROOT reads
 * the first path of its first thread, once in each interval until nothing more
 * is there, and copies the event spaces of the batches into the folder COPIES
 * in RUN.  When it has done so for the first time, or for some time if there is
 * much, it writes a line to its standard output.  When it is told to end, as
 * when its scope was killed, it removes the copies; those that have a name in
 * RUN stay there.  The other processes become eventspace serve.
 */

#include "scopes/gather/mirror_private.h"
#include "scopes/gather/notes_private.h"

#include "libpaths/base/tree_dir.h"
#include "libpaths/base/verb.h"
#include "libpaths/log.h"
#include "libpaths/path.h"
#include "libpaths/program.h"
#include "libpaths/thread.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Time after which copies get their checksums although more is there. */
#define NODE_PULL_NS UINT64_C(1000000000)

/* Time between two looks whether copies of a tree that has ended are left. */
#define NODE_PUBLISH_NS UINT64_C(500000000)

/* Time in which a launcher ends that has ended its servers. */
#define NODE_END_NS UINT64_C(5000000000)

/* Time between two looks whether it has. */
#define NODE_LOOK_NS 50000000

struct node {
	const char *run, *copies;
	bool launched; /* a launcher runs the processes of the run */
	uint64_t interval_ns;
	struct paths_program *program;
	struct paths_path *path;
	struct es__mirror *mirror;
	uint64_t published_ns;
	void *tuple;
	uint32_t room;
};

static volatile sig_atomic_t node_stopped;

static void
node_stop(int signal)
{
	(void)signal;
	node_stopped = 1;
}

static int
node_fail(const char *text)
{
	fprintf(stderr, "eventspace scope: gather tree: %s\n", text);
	return 1;
}

/* Takes a note of the tree. */
static void
node_note(void *to, const char *text)
{
	const struct node *node = to;

	es__notes_take(node->copies, text);
	es__notes_take(node->run, text);
}

/* Lets this process open as many files as it may: a copy has one. */
static void
node_raise_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}

/* Opens the first path of the first thread of this process. */
static paths_status
node_open_path(struct node *node)
{
	const struct paths_map *map = paths_program_map(node->program);
	const uint32_t process = paths_program_process(node->program);
	struct paths_thread *thread;
	uint32_t t = 0, p = 0;
	paths_status st;

	while (t < map->thread_count && map->threads[t].process != process)
		t++;
	while (p < map->path_count && map->paths[p].thread != t)
		p++;
	if (t == map->thread_count || p == map->path_count)
		return paths_log_fail(PATHS_ENOENT,
		    "process %s has no thread with a path",
		    map->processes[process].name);
	st = paths_thread_open(node->program, map->threads[t].name, &thread);
	if (st == PATHS_OK)
		st = paths_path_open(thread, map->paths[p].element_name,
		    &node->path);
	return st;
}

static paths_status
node_open(struct node *node)
{
	paths_status st = paths_program_open(NULL, NULL, &node->program);

	if (st == PATHS_OK)
		st = node_open_path(node);
	if (st == PATHS_OK)
		st = es__mirror_open(&(struct es__mirror_to){ node->copies,
					 node->run, NULL },
		    node_note, node, &node->mirror);
	if (st != PATHS_OK)
		return st;
	node->room = (uint32_t)paths_path_type(node->path)->bytes;
	node->tuple = aligned_alloc(64, (node->room + 63) & ~(size_t)63);
	return node->tuple != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for batches");
}

static void
node_close(struct node *node)
{
	es__mirror_close(node->mirror);
	free(node->tuple);
	paths_path_close(node->path);
	paths_program_close(node->program);
}

static uint64_t
node_now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Reads what there is, for the time NODE_PULL_NS.  more: set to true if there
   is more. */
static paths_status
node_pull(struct node *node, bool *more)
{
	const uint64_t end_ns = node_now_ns() + NODE_PULL_NS;
	paths_status st;

	do {
		*more = false;
		st = paths_path_read(node->path, node->tuple, node->room);
		if (st == PATHS_OK)
			st = es__mirror_batch(node->mirror, node->tuple,
			    paths_path_bytes(node->path), more);
		else
			(void)paths_log_fail(st, "%s",
			    paths_path_why(node->path));
	} while (
	    *more && st == PATHS_OK && !node_stopped && node_now_ns() < end_ns);
	es__mirror_seal(node->mirror);
	if (node_now_ns() - node->published_ns > NODE_PUBLISH_NS) {
		es__mirror_publish(node->mirror);
		node->published_ns = node_now_ns();
	}
	return st;
}

/* Sleeps for an interval.  It is short, so that a signal that another thread
   took is noticed soon. */
static void
node_sleep(const struct node *node)
{
	const struct timespec time = { .tv_sec = (time_t)(node->interval_ns /
					   1000000000),
		.tv_nsec = (long)(node->interval_ns % 1000000000) };

	if (!node_stopped)
		(void)nanosleep(&time, NULL);
}

/* Copies until a signal arrives or the tree is lost. */
static paths_status
node_copy(struct node *node)
{
	bool first = true, more;
	paths_status st = PATHS_OK;

	while (st == PATHS_OK && !node_stopped) {
		st = node_pull(node, &more);
		if (first && (printf("ready\n") < 0 || fflush(stdout) != 0))
			break;
		first = false;
		if (st == PATHS_OK && !more)
			node_sleep(node);
	}
	return st;
}

/* Waits until the launcher of the run has ended, or the tree is told to end.
   Returns false after NODE_END_NS.  A launcher ends the servers on other hosts
   before itself, so a tree is lost at the end of each run. */
static bool
node_run_ends(const struct node *node)
{
	const struct timespec time = { .tv_nsec = NODE_LOOK_NS };
	const uint64_t end_ns = node_now_ns() + NODE_END_NS;

	while (node->launched && !node_stopped && node_now_ns() < end_ns) {
		if (!paths_tree_run_is_under_way(node->run))
			return true;
		(void)nanosleep(&time, NULL);
	}
	return node_stopped;
}

/* Notes that nothing is copied any more. */
static void
node_note_end(struct node *node)
{
	char text[PATHS_LOG_BYTES + 32];

	snprintf(text, sizeof(text), "gather tree: %s", paths_log_last());
	node_note(node, text);
}

static void
node_remove_copies(const struct node *node)
{
	DIR *folder = opendir(node->copies);
	const struct dirent *entry;

	while (folder != NULL && (entry = readdir(folder)) != NULL)
		(void)unlinkat(dirfd(folder), entry->d_name, 0);
	if (folder != NULL)
		closedir(folder);
}

static int
node_root(struct node *node)
{
	struct sigaction stop = { .sa_handler = node_stop };
	paths_status st;

	node->launched = paths_tree_run_is_under_way(node->run);
	node_raise_files();
	/* A file that would be too long is an error. */
	(void)signal(SIGXFSZ, SIG_IGN);
	/* While it connects to the others, a signal ends it at once. */
	st = node_open(node);
	(void)sigaction(SIGTERM, &stop, NULL);
	(void)sigaction(SIGINT, &stop, NULL);
	if (st == PATHS_OK) {
		st = node_copy(node);
		if (st != PATHS_OK && node_run_ends(node))
			st = PATHS_OK;
	}
	if (st != PATHS_OK && !node_stopped) {
		node_fail(paths_log_last());
		node_note_end(node);
	} else {
		st = PATHS_OK;
	}
	node_close(node);
	if (node_stopped)
		node_remove_copies(node);
	return st == PATHS_OK ? 0 : 1;
}

int
main(int argc, char **argv)
{
	const char *process = getenv("PATHS_PROCESS");
	struct node node = { .run = argv[1] };
	char *words[] = { NULL, NULL };

	if (argc != 5) {
		fprintf(stderr,
		    "usage: gather-node RUN COPIES ROOT INTERVAL_NS\n");
		return 2;
	}
	node.copies = argv[2];
	node.interval_ns = strtoull(argv[4], NULL, 10);
	/* On another host, its server has set it. */
	if (setenv("PATHS_SPACES", node.run, 0) != 0)
		return node_fail("out of memory");
	if (process == NULL || strcmp(process, argv[3]) != 0)
		return paths_verb_become("scope", "serve", words);
	paths_log_name("eventspace scope");
	return node_root(&node);
}
