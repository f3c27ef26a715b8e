/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/eventspace_main.c - eventspace: executes eventspace-VERB
 *
 * Each floor has its commands: `eventspace VERB ARGS` executes the program
 * eventspace-VERB of a folder in EVENTSPACE_EXEC_PATH (folders separated by
 * colons) or, without that, of the installed folder.  A verb prints one line
 * for --about.  eventspace is linked to no library of the tree, so it starts
 * quickly.
 */

#include "libpaths/base/command.h"
#include "libpaths/base/command_help.h"
#include "libpaths/nearest.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAIN_PREFIX "eventspace-"
#define MAIN_VERBS 64

/* Verbs that were found, in alphabetical order. */
struct verbs {
	char names[MAIN_VERBS][NAME_MAX + 1];
	size_t count;
};

struct eventspace {
	char **words; /* the verb and its arguments, ended by NULL */
};

static const char *
main_folders(void)
{
	const char *path = getenv("EVENTSPACE_EXEC_PATH");

	return path != NULL && *path != '\0' ? path : MAIN_FOLDER;
}

/* Takes the first folder off a list.  Returns false when the list is empty. */
static bool
main_next_folder(const char **folders, char folder[PATH_MAX])
{
	size_t length = strcspn(*folders, ":");

	if (**folders == '\0')
		return false;
	snprintf(folder, PATH_MAX, "%.*s", (int)length, *folders);
	*folders += length + ((*folders)[length] == ':');
	return true;
}

/* Finds the program of a verb in a folder. */
static bool
main_is_program(const char *folder, const char *verb, char file[PATH_MAX])
{
	struct stat about;

	return snprintf(file, PATH_MAX, "%s/" MAIN_PREFIX "%s", folder, verb) <
	    PATH_MAX &&
	    stat(file, &about) == 0 && S_ISREG(about.st_mode) &&
	    access(file, X_OK) == 0;
}

static bool
main_find(const char *verb, char file[PATH_MAX])
{
	const char *folders = main_folders();
	char folder[PATH_MAX];

	if (strchr(verb, '/') != NULL)
		return false;
	while (main_next_folder(&folders, folder))
		if (main_is_program(folder, verb, file))
			return true;
	return false;
}

/* Inserts a verb in alphabetical order, unless it is there already. */
static void
verbs_add(struct verbs *verbs, const char *name)
{
	size_t n = 0;

	while (n < verbs->count && strcmp(verbs->names[n], name) < 0)
		n++;
	if (verbs->count == MAIN_VERBS ||
	    (n < verbs->count && strcmp(verbs->names[n], name) == 0))
		return;
	memmove(verbs->names[n + 1], verbs->names[n],
	    (verbs->count++ - n) * sizeof(verbs->names[0]));
	snprintf(verbs->names[n], sizeof(verbs->names[n]), "%s", name);
}

static void
verbs_find(struct verbs *verbs)
{
	const char *folders = main_folders();
	char folder[PATH_MAX], file[PATH_MAX];
	const struct dirent *entry;

	verbs->count = 0;
	while (main_next_folder(&folders, folder)) {
		DIR *dir = opendir(folder);

		while (dir != NULL && (entry = readdir(dir)) != NULL) {
			const char *verb = entry->d_name + strlen(MAIN_PREFIX);

			if (strncmp(entry->d_name, MAIN_PREFIX,
				strlen(MAIN_PREFIX)) == 0 &&
			    main_is_program(folder, verb, file))
				verbs_add(verbs, verb);
		}
		if (dir != NULL)
			closedir(dir);
	}
}

/* Prints a verb and the line that it prints for --about. */
static void
main_print_verb(const char *verb)
{
	char file[PATH_MAX], about[128] = "";
	FILE *answer;

	if (!main_find(verb, file) ||
	    setenv("EVENTSPACE_PROGRAM", file, 1) != 0)
		return;
	answer = popen("exec \"$EVENTSPACE_PROGRAM\" --about 2>/dev/null "
		       "</dev/null",
	    "r");
	if (answer != NULL && fgets(about, sizeof(about), answer) != NULL)
		about[strcspn(about, "\n")] = '\0';
	if (answer != NULL)
		pclose(answer);
	printf("  %-10s %s\n", verb, about);
}

static void
main_print_verbs(void)
{
	static struct verbs verbs;

	verbs_find(&verbs);
	printf("\nVerbs:\n");
	fflush(stdout);
	for (size_t n = 0; n < verbs.count; n++)
		main_print_verb(verbs.names[n]);
	printf("\n\"eventspace VERB --help\" prints the help of a verb.\n");
}

static const struct paths_command main_command = {
	.verb = "",
	.about = "watch the communication of parallel programs",
	.usage = "VERB [ARGS]",
	.text = "",
	.more = main_print_verbs,
	.exits = "  that of VERB; 2 when there is no such verb\n",
	.rest = PATHS_COMMAND_AFTER_OPTIONS,
	.rest_at = offsetof(struct eventspace, words),
};

static int
main_unknown(const char *verb)
{
	static struct verbs verbs;
	struct paths_nearest nearest;

	verbs_find(&verbs);
	paths_nearest_init(&nearest, verb);
	for (size_t n = 0; n < verbs.count; n++)
		paths_nearest_try(&nearest, verbs.names[n]);
	return paths_command_wrong("", "%s: no such verb%s", verb,
	    paths_nearest_hint(&nearest));
}

/* Lets programs in Tcl find the packages of eventspace. */
static bool
main_set_packages(void)
{
	const char *before = getenv("TCLLIBPATH");
	char *packages;
	bool set;

	if (before == NULL || *before == '\0')
		return setenv("TCLLIBPATH", MAIN_PACKAGES, 1) == 0;
	if (asprintf(&packages, "%s %s", before, MAIN_PACKAGES) < 0)
		return false;
	set = setenv("TCLLIBPATH", packages, 1) == 0;
	free(packages);
	return set;
}

int
main(int argc, char **argv)
{
	struct eventspace e;
	int status = paths_command_read(&main_command, &e, argc, argv);
	char file[PATH_MAX];

	if (status != PATHS_COMMAND_GO_ON)
		return status;
	if (e.words[0] == NULL)
		return paths_command_wrong("", "VERB is missing");
	if (strcmp(e.words[0], "help") == 0)
		return paths_command_help(&main_command);
	if (!main_find(e.words[0], file))
		return main_unknown(e.words[0]);
	if (!main_set_packages())
		return paths_command_fail("", "out of memory");
	e.words[0] = file;
	execv(file, e.words);
	return paths_command_fail("", "%s: %s", file, strerror(errno));
}
