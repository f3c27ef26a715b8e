/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/verb.h - the programs of the verbs of eventspace
 *
 * The program of a verb is eventspace-VERB in one of the folders that
 * EVENTSPACE_EXEC_PATH names, with colons between them, or, without that, in
 * the folder of the installation.
 */

#ifndef LIBPATHS_BASE_VERB_H
#define LIBPATHS_BASE_VERB_H

#include <limits.h>
#include <stdbool.h>

#define PATHS_VERB_PREFIX "eventspace-"

/* Returns the folders, with colons between them. */
const char *paths_verb_folders(void);

/* Takes the first folder off a list.  Returns false when the list is empty. */
bool paths_verb_next_folder(const char **folders, char folder[PATH_MAX]);

/* Returns true if a folder has the program of a verb, and its name. */
bool paths_verb_is_in(const char *folder, const char *verb,
    char file[PATH_MAX]);

/* Returns true if there is a program of a verb, and its name. */
bool paths_verb_find(const char *verb, char file[PATH_MAX]);

/*
 * Executes a verb in place of another one.
 *
 * from		the verb of this process, for the message of a failure
 * words	words[0] is replaced by the name of the program, the arguments
 *		follow, and NULL
 *
 * Returns the exit status when it cannot be executed.
 */
int paths_verb_become(const char *from, const char *verb, char **words);

#endif
