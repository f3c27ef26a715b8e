/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/tree.c - gather trees of live scopes
 *
 * A tree is a program on a path map, started by eventspace run.  Its processes
 * are gather-node (scopes/gather/node_main.c).  On the other hosts they are
 * started by the servers that the launcher of the run has started there, to
 * which run-reach connects.
 */

#include "scopes/command/tree_private.h"

#include "scopes/command/interrupt_private.h"
#include "scopes/command/tree_map_private.h"
#include "scopes/gather/notes_private.h"
#include "scopes/run/notes_private.h"

#include "libpaths/base/verb.h"
#include "libpaths/log.h"
#include "libpaths/program.h"
#include "libpaths/program/run_copy.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Time that a tree has to begin to copy what there is, and to end. */
#define TREE_READY_MS 30000
#define TREE_END_MS 5000
#define TREE_STEP_MS 10

/* Longest time between two reads of a tree: rings must not wrap around. */
#define TREE_INTERVAL_NS UINT64_C(200000000)

/* Time that processes of a tree have to end after SIGTERM. */
#define TREE_GRACE_S "2"

#define TREE_WORDS 24

/* --- programs ------------------------------------------------------------ */

/* Finds a program that lies beside that of a verb. */
static paths_status
tree_program(const char *verb, const char *name, char file[PATH_MAX])
{
	char *slash;

	if (!paths_verb_find(verb, file) ||
	    (slash = strrchr(file, '/')) == NULL ||
	    (size_t)(slash + 1 - file) + strlen(name) >= PATH_MAX)
		return paths_log_fail(PATHS_ENOENT, "%s: is not installed",
		    name);
	strcpy(slash + 1, name);
	return PATHS_OK;
}

/* Starts a program.  output, errors: descriptors, or -1 for /dev/null and that
   of this process. */
static pid_t
tree_spawn(const char *const *words, int output, int errors)
{
	const pid_t self = getpid();
	const pid_t pid = fork();
	const int null = pid == 0 ? open("/dev/null", O_RDWR) : -1;

	if (pid != 0)
		return pid;
	/* Its own group: the signals of a terminal are for the scope. */
	(void)setpgid(0, 0);
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != self || null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(output < 0 ? null : output, STDOUT_FILENO) < 0 ||
	    (errors >= 0 && dup2(errors, STDERR_FILENO) < 0))
		_exit(127);
	if (null > STDERR_FILENO)
		close(null);
	execv(words[0], (char *const *)(uintptr_t)words);
	_exit(127);
}

/* --- hosts --------------------------------------------------------------- */

/* Asks all hosts at once if their servers answer. */
static paths_status
tree_ask_hosts(struct es__tree_hosts *hosts, const char *run)
{
	pid_t pids[ES__TREE_HOSTS];
	char reach[PATH_MAX];
	paths_status st = tree_program("run", "run-reach", reach);
	const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	for (size_t n = 0; st == PATHS_OK && n < hosts->count; n++) {
		const char *words[] = { reach, run, hosts->all[n].name, NULL };

		pids[n] = tree_spawn(words, -1, null);
	}
	for (size_t n = 0; st == PATHS_OK && n < hosts->count; n++) {
		int status = 1;

		hosts->all[n].answers = pids[n] > 0 &&
		    waitpid(pids[n], &status, 0) == pids[n] && status == 0;
	}
	if (null >= 0)
		close(null);
	return st;
}

/* Notes the hosts that are left out. */
static void
tree_note_hosts(const struct es_command *command,
    const struct es__tree_hosts *hosts, const struct es__tree *tree)
{
	char text[512];

	for (size_t n = 0; n < hosts->count; n++) {
		if (hosts->all[n].answers)
			continue;
		snprintf(text, sizeof(text),
		    "host %s: %s; its processes are missing",
		    hosts->all[n].name,
		    hosts->all[n].why[0] != '\0' ?
			hosts->all[n].why :
			"its server does not answer");
		es_command_note(command, "%s: %s", tree->run, text);
		es__notes_take(tree->copies, text);
		es__notes_take(tree->run, text);
	}
}

/* --- the tree ------------------------------------------------------------ */

/* Writes the default tree beside the folder of the tree. */
static paths_status
tree_write_map(struct es__tree *tree, const struct es__tree_hosts *hosts)
{
	char made[sizeof(tree->map) + 8];
	paths_status st;
	FILE *to;

	snprintf(tree->map, sizeof(tree->map), "%s" PATHS_TREE_MAP, tree->dir);
	snprintf(made, sizeof(made), "%s.tmp", tree->map);
	to = fopen(made, "we");
	if (to == NULL)
		return paths_log_fail(PATHS_EIO, "%s: %s", made,
		    strerror(errno));
	st = es__tree_map_print(hosts, tree->run, to);
	if ((fclose(to) != 0 || rename(made, tree->map) != 0) && st == PATHS_OK)
		st = paths_log_fail(PATHS_EIO, "%s: %s", tree->map,
		    strerror(errno));
	if (st != PATHS_OK)
		unlink(made);
	return st;
}

/* Makes the folder of the tree.  Trees of scopes that were killed are removed;
   the notes are those of trees that run. */
static paths_status
tree_make_dir(struct es__tree *tree)
{
	char notes[PATH_MAX + 32];

	snprintf(notes, sizeof(notes), "%s/" ES__NOTES_FILE, tree->run);
	if (paths_tree_dir_sweep(tree->run) == 0)
		unlink(notes);
	tree->messages = paths_tree_dir_make(tree->run, tree->dir);
	if (tree->messages < 0) {
		(void)paths_log_fail(PATHS_EIO, "%s: %s", tree->dir,
		    strerror(errno));
		tree->dir[0] = '\0';
		return PATHS_EIO;
	}
	snprintf(tree->copies, sizeof(tree->copies), "%s" PATHS_TREE_COPIES,
	    tree->dir);
	return es_run_use_copies(tree->copies);
}

/* Returns true if a map has a source of tuples for an event scope. */
static bool
tree_has_source(const struct paths_map *map)
{
	for (uint32_t n = 0; n < map->item_count; n++)
		if (strcmp(map->items[n].ops->name, "spaces") == 0)
			return true;
	return false;
}

/* Finds the process that reads the tree: that of the first thread. */
static paths_status
tree_root(const struct es__tree *tree, char root[PATHS_MAP_NAME_BYTES_MAX + 1])
{
	const struct paths_map_reader reader = { .plugins = NULL };
	struct paths_map *map;
	paths_status st = paths_map_read(tree->map, &reader, &map);

	if (st != PATHS_OK)
		return st;
	if (map->thread_count == 0)
		st = paths_log_fail(PATHS_EINVAL, "%s: no thread reads it",
		    tree->map);
	else if (!tree_has_source(map))
		st = paths_log_fail(PATHS_EINVAL,
		    "%s: it has no stage spaces, so it is no gather tree",
		    tree->map);
	else
		snprintf(root, PATHS_MAP_NAME_BYTES_MAX + 1, "%s",
		    map->processes[map->threads[0].process].name);
	paths_map_close(map);
	return st;
}

/* Prints a word in quotes for the option --launcher. */
static void
tree_quote(FILE *to, const char *word)
{
	fputc('\'', to);
	for (; *word != '\0'; word++) {
		if (*word == '\'')
			fputs("'\\''", to);
		else
			fputc(*word, to);
	}
	fputc('\'', to);
}

/* Returns the value of --launcher, which the caller frees. */
static char *
tree_launcher(const struct es__tree *tree, const char *reach)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	if (to == NULL)
		return NULL;
	fputs("command ", to);
	tree_quote(to, reach);
	fputc(' ', to);
	tree_quote(to, tree->run);
	fputs(" {host} {process} " TREE_GRACE_S "000000000 {command}", to);
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

/* Starts eventspace run. */
static paths_status
tree_start(struct es__tree *tree, const struct es__tree_hosts *hosts,
    uint64_t interval_ns)
{
	char run[PATH_MAX], reach[PATH_MAX], node[PATH_MAX], interval[24];
	char root[PATHS_MAP_NAME_BYTES_MAX + 1];
	const char *words[TREE_WORDS] = { run, tree->map, "--quiet", "--plain",
		"-o", tree->dir, "--chdir", "/", "--wait", "15", "--alone",
		"--grace", TREE_GRACE_S };
	size_t n = 13;
	char *launcher = NULL;
	int said[2];
	paths_status st = tree_program("run", "eventspace-run", run);

	if (st == PATHS_OK)
		st = tree_program("run", "run-reach", reach);
	if (st == PATHS_OK)
		st = tree_program("scope", "gather-node", node);
	if (st == PATHS_OK)
		st = tree_root(tree, root);
	if (st != PATHS_OK)
		return st;
	snprintf(interval, sizeof(interval), "%llu",
	    (unsigned long long)interval_ns);
	if (hosts->ports[0] != '\0') {
		words[n++] = "--ports";
		words[n++] = hosts->ports;
	}
	if (hosts->count > 0) {
		launcher = tree_launcher(tree, reach);
		if (launcher == NULL)
			return paths_log_fail(PATHS_ENOMEM, "out of memory");
		words[n++] = "--launcher";
		words[n++] = launcher;
	}
	words[n++] = "--";
	words[n++] = node;
	words[n++] = tree->run;
	words[n++] = tree->copies;
	words[n++] = root;
	words[n++] = interval;
	if (pipe2(said, O_CLOEXEC) != 0)
		st = paths_log_fail(PATHS_EIO, "pipe: %s", strerror(errno));
	if (st == PATHS_OK) {
		tree->pid = tree_spawn(words, said[1], tree->messages);
		close(said[1]);
		tree->said = said[0];
	}
	free(launcher);
	if (st == PATHS_OK && tree->pid < 0)
		st = paths_log_fail(PATHS_EIO, "fork: %s", strerror(errno));
	return st;
}

/* Waits until the tree has copied what there was or goes on to do so, has
   failed, or a signal was caught. */
static paths_status
tree_wait(const struct es__tree *tree)
{
	struct pollfd said = { tree->said, POLLIN, 0 };
	char line[64];

	for (int ms = 0; ms < TREE_READY_MS && !es__interrupt_caught();
	     ms += 100) {
		if (poll(&said, 1, 100) <= 0)
			continue;
		if (read(tree->said, line, sizeof(line)) > 0)
			return PATHS_OK;
		return paths_log_fail(PATHS_ELOST,
		    "the gather tree could not be started, see %s" PATHS_TREE_LOG,
		    tree->dir);
	}
	return es__interrupt_caught() ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ETIMEDOUT,
		"the gather tree has read nothing in %d s, see %s" PATHS_TREE_LOG,
		TREE_READY_MS / 1000, tree->dir);
}

static paths_status
tree_open(struct es__tree *tree, const struct es_command *command,
    struct es__tree_hosts *hosts, const char *map, uint64_t interval_ns)
{
	paths_status st = tree_ask_hosts(hosts, tree->run);

	if (st == PATHS_OK)
		st = tree_make_dir(tree);
	if (st != PATHS_OK)
		return st;
	tree_note_hosts(command, hosts, tree);
	if (map == NULL && es__tree_hosts_answer(hosts) == 0)
		return PATHS_OK;
	if (map == NULL)
		st = tree_write_map(tree, hosts);
	else if (realpath(map, tree->map) == NULL)
		st = paths_log_fail(PATHS_EIO, "%s: %s", map, strerror(errno));
	if (st == PATHS_OK)
		st = tree_start(tree, hosts,
		    interval_ns < TREE_INTERVAL_NS ? interval_ns :
						     TREE_INTERVAL_NS);
	if (st == PATHS_OK)
		st = tree_wait(tree);
	tree->failed = st != PATHS_OK;
	return st;
}

paths_status
es__tree_open(struct es__tree *tree, const struct es_command *command,
    const char *run, const char *map, uint64_t interval_ns)
{
	struct es__tree_hosts hosts;
	paths_status st;

	*tree = (struct es__tree){ .said = -1, .messages = -1 };
	if (realpath(run, tree->run) == NULL)
		return map == NULL ?
		    PATHS_OK :
		    paths_log_fail(PATHS_EIO, "%s: %s", run, strerror(errno));
	st = es__tree_hosts_read(&hosts, tree->run);
	if (st == PATHS_OK && (hosts.count > 0 || map != NULL))
		st = tree_open(tree, command, &hosts, map, interval_ns);
	es__tree_hosts_fini(&hosts);
	if (st == PATHS_OK)
		return st;
	es__tree_close(tree);
	if (map != NULL)
		return st;
	es_command_note(command, "%s: %s; what other hosts have is missing",
	    run, paths_log_last());
	return PATHS_OK;
}

bool
es__tree_is_awaited(const char *run)
{
	char servers[PATH_MAX];

	snprintf(servers, sizeof(servers), "%s/servers", run);
	return paths_tree_run_is_under_way(run) && access(servers, F_OK) != 0;
}

/* --- ending -------------------------------------------------------------- */

/* Removes the notes, unless the run still has copies that they explain. */
static void
tree_remove_notes(const struct es__tree *tree)
{
	DIR *dir = opendir(tree->run);
	const struct dirent *entry;
	bool copies = false;

	while (dir != NULL && !copies && (entry = readdir(dir)) != NULL)
		copies = paths__run_copy_find(dirfd(dir), entry->d_name) ==
		    PATHS__RUN_COPY_IS;
	if (dir != NULL && !copies)
		(void)unlinkat(dirfd(dir), ES__NOTES_FILE, 0);
	if (dir != NULL)
		closedir(dir);
}

void
es__tree_close(struct es__tree *tree)
{
	const struct timespec step = { .tv_nsec = TREE_STEP_MS * 1000000L };

	for (int ms = 0; tree->pid > 0; ms += TREE_STEP_MS) {
		if (ms == 0)
			(void)kill(tree->pid, SIGTERM);
		if (ms > TREE_END_MS)
			(void)kill(tree->pid, SIGKILL);
		if (waitpid(tree->pid, NULL, WNOHANG) != 0)
			break;
		(void)nanosleep(&step, NULL);
	}
	if (tree->said >= 0 && tree->pid != 0)
		close(tree->said);
	if (tree->dir[0] != '\0') {
		tree_remove_notes(tree);
		paths_tree_dir_remove(tree->dir, tree->failed);
		close(tree->messages);
	}
	*tree = (struct es__tree){ .said = -1, .messages = -1 };
}
