/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/map/plugin_test.c - proves libpaths/map/plugin.c
 */

#include "libpaths/stage.h"

#include "tests/libpaths/map/fakes.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *
plugin_file(const char *name)
{
	static char file[PATH_MAX];

	snprintf(file, sizeof(file), "%s/tests/libpaths/.libs/%s",
	    test_builddir(), name);
	return file;
}

static void
a_plugin_adds_its_stages(void)
{
	EXPECT_OK(paths_stage_load(plugin_file("stage_plugin.so")));
	EXPECT_TRUE(paths_stage_find("plugged") != NULL);
	EXPECT_OK(paths_stage_load(plugin_file("stage_plugin.so")));
}

/* libcollectors is such a plugin, in the folder of libpaths. */
static void
a_plugin_beside_the_library_is_found_by_its_name(void)
{
	EXPECT_OK(paths_stage_load("libcollectors.so.0"));
	EXPECT_TRUE(paths_stage_find("collector") != NULL);
}

static void
malformed_plugins_are_refused(void)
{
	EXPECT_EQ(PATHS_ENOENT, paths_stage_load(NULL));
	EXPECT_EQ(PATHS_ENOENT, paths_stage_load(""));
	EXPECT_EQ(PATHS_ENOENT, paths_stage_load("no-such-plugin.so"));
	EXPECT_STR_EQ("plugin no-such-plugin.so: neither in PATHS_PLUGIN_PATH "
		      "nor installed",
	    paths_log_last());
	EXPECT_EQ(PATHS_ENOENT, paths_stage_load("no/such-plugin.so"));
	EXPECT_STR_EQ("plugin no/such-plugin.so: cannot open shared object "
		      "file: No such file or directory",
	    paths_log_last());
}

static void
a_plugin_for_another_version_is_refused(void)
{
	EXPECT_EQ(PATHS_EABI,
	    paths_stage_load(plugin_file("stage_plugin_old.so")));
	EXPECT_EQ(PATHS_EABI,
	    paths_stage_load(plugin_file("stage_plugin_stage.so")));
	EXPECT_STR_EQ("a stage is made for stage interface 99, this is 4",
	    paths_log_last());
	EXPECT_TRUE(paths_stage_find("plugged_old") == NULL);
	EXPECT_TRUE(paths_stage_find("plugged_stage") == NULL);
}

static void
a_plugin_cannot_replace_a_stage(void)
{
	const struct paths_stage_ops *delay = paths_stage_find("delay");

	EXPECT_EQ(PATHS_EBUSY,
	    paths_stage_load(plugin_file("stage_plugin_taken.so")));
	EXPECT_TRUE(paths_stage_find("delay") == delay);
}

/* A name that the dynamic linker would find. */
static void
the_dynamic_linker_searches_for_no_name(void)
{
	EXPECT_EQ(PATHS_ENOENT, paths_stage_load("libm.so.6"));
	EXPECT_STR_EQ("plugin libm.so.6: neither in PATHS_PLUGIN_PATH nor "
		      "installed",
	    paths_log_last());
}

static void
a_name_is_searched_in_absolute_folders(void)
{
	static const char *const folders[] = { "", ":", ".", "./", "/none",
		"relative:../libpaths/.libs:::", NULL };
	char list[PATH_MAX + 16];

	EXPECT_EQ(0, chdir(plugin_file("")));
	for (int n = 0; folders[n] != NULL; n++) {
		EXPECT_EQ(0, setenv("PATHS_PLUGIN_PATH", folders[n], 1));
		EXPECT_EQ(PATHS_ENOENT, paths_stage_load("stage_plugin.so"));
	}
	snprintf(list, sizeof(list), ".::/none:%s:", plugin_file(""));
	EXPECT_EQ(0, setenv("PATHS_PLUGIN_PATH", list, 1));
	EXPECT_EQ(PATHS_ENOENT, paths_stage_load(".."));
	EXPECT_OK(paths_stage_load("stage_plugin.so"));
	EXPECT_EQ(0, unsetenv("PATHS_PLUGIN_PATH"));
}

static void
a_folder_with_the_name_of_a_plugin_is_passed_over(void)
{
	char folder[] = "/tmp/plugin_test.XXXXXX";
	char name[64], list[PATH_MAX + 64];

	EXPECT_TRUE(mkdtemp(folder) != NULL);
	snprintf(name, sizeof(name), "%s/stage_plugin.so", folder);
	EXPECT_EQ(0, mkdir(name, 0700));
	snprintf(list, sizeof(list), "%s:%s", folder, plugin_file(""));
	EXPECT_EQ(0, setenv("PATHS_PLUGIN_PATH", list, 1));
	EXPECT_OK(paths_stage_load("stage_plugin.so"));
	EXPECT_EQ(0, unsetenv("PATHS_PLUGIN_PATH"));
	EXPECT_EQ(0, rmdir(name));
	EXPECT_EQ(0, rmdir(folder));
}

/* Parses, for a program, a map with a plugin and its stage. */
static paths_status
parse_with(const char *plugin)
{
	struct paths_map *map = NULL;
	char text[PATH_MAX + 1024];
	paths_status st;

	snprintf(text, sizeof(text),
	    BASE "plugin {%s}\npath t e {{plugged} {element e}}\n", plugin);
	st = paths_map_parse(text, strlen(text), "m", &map);
	paths_map_close(map);
	return st;
}

static void
a_path_in_a_map_is_used_only_if_the_user_repeats_it(void)
{
	char file[PATH_MAX], list[2 * PATH_MAX + 256];

	snprintf(file, sizeof(file), "%s", plugin_file("stage_plugin.so"));
	EXPECT_EQ(PATHS_ESYNTAX, parse_with(file));
	snprintf(list, sizeof(list),
	    "m:10: %.60s%s: expected a plugin: a path "
	    "is used only if the command line repeats "
	    "it with --plugin",
	    file, strlen(file) > 60 ? "..." : "");
	EXPECT_STR_EQ(list, paths_log_last());
	snprintf(list, sizeof(list),
	    "%s:relative.so:", plugin_file("stage_plugin_old.so"));
	EXPECT_EQ(0, setenv("PATHS_PLUGINS", list, 1));
	EXPECT_EQ(PATHS_ESYNTAX, parse_with(file));
	EXPECT_TRUE(strstr(paths_log_last(), "a path is used only") != NULL);
	EXPECT_EQ(0, chdir(plugin_file("")));
	EXPECT_EQ(0, setenv("PATHS_PLUGINS", "./stage_plugin.so", 1));
	EXPECT_EQ(PATHS_ESYNTAX, parse_with("stage_plugin.so"));
	snprintf(list, sizeof(list), "/none:%s", file);
	EXPECT_EQ(0, setenv("PATHS_PLUGINS", list, 1));
	EXPECT_OK(parse_with(file));
	EXPECT_EQ(0, unsetenv("PATHS_PLUGINS"));
}

/* The same file by another path, and by its name. */
static void
a_file_that_the_user_names_is_compared_as_a_file(void)
{
	char file[PATH_MAX];

	snprintf(file, sizeof(file), "%s", plugin_file("stage_plugin.so"));
	EXPECT_EQ(0, chdir(plugin_file("..")));
	EXPECT_EQ(0, setenv("PATHS_PLUGINS", file, 1));
	EXPECT_EQ(PATHS_ESYNTAX, parse_with("./stage_plugin.so"));
	EXPECT_EQ(PATHS_ESYNTAX, parse_with("other.so"));
	EXPECT_OK(parse_with("map/../.libs/stage_plugin.so"));
	EXPECT_OK(parse_with("stage_plugin.so"));
	EXPECT_EQ(0, unsetenv("PATHS_PLUGINS"));
}

/* Reads a map with a plugin, with these files of the user; returns the number
   of plugins that were left out. */
static uint32_t
read_with(const char *plugin, const char *const *files)
{
	char map_file[] = "/tmp/plugin_test.XXXXXX";
	int fd = mkstemp(map_file);
	struct paths_map *map = NULL;
	uint32_t left_out;

	EXPECT_TRUE(fd >= 0);
	dprintf(fd, BASE "plugin {%s}\npath t e {{element e}}\n", plugin);
	close(fd);
	EXPECT_OK(paths_map_read(map_file,
	    &(struct paths_map_reader){ .plugins = files }, &map));
	unlink(map_file);
	left_out = map->unloaded_count;
	paths_map_close(map);
	return left_out;
}

static void
a_reader_loads_only_what_the_user_names(void)
{
	char file[PATH_MAX];
	const char *files[] = { NULL, NULL };

	snprintf(file, sizeof(file), "%s", plugin_file("stage_plugin.so"));
	EXPECT_EQ(0, setenv("PATHS_PLUGINS", file, 1));
	EXPECT_EQ(0, setenv("PATHS_PLUGIN_PATH", plugin_file(""), 1));
	EXPECT_EQ(0, chdir(plugin_file("")));
	EXPECT_EQ(1, read_with(file, NULL));
	EXPECT_EQ(1, read_with(file, files));
	EXPECT_EQ(1, read_with("./stage_plugin.so", files));
	EXPECT_EQ(1, read_with("stage_plugin.so", files));
	EXPECT_TRUE(paths_stage_find("plugged") == NULL);
	EXPECT_EQ(0, read_with("libcollectors.so.0", NULL));
	EXPECT_TRUE(paths_stage_find("collector") != NULL);
	files[0] = file;
	EXPECT_EQ(1, read_with("other.so", files));
	EXPECT_TRUE(paths_stage_find("plugged") == NULL);
	EXPECT_EQ(0, read_with("stage_plugin.so", files));
	EXPECT_TRUE(paths_stage_find("plugged") != NULL);
	EXPECT_EQ(0, unsetenv("PATHS_PLUGINS"));
	EXPECT_EQ(0, unsetenv("PATHS_PLUGIN_PATH"));
}

/* The first case is the first that loads the plugin. */
TEST_MAIN(a_reader_loads_only_what_the_user_names, a_plugin_adds_its_stages,
    a_plugin_beside_the_library_is_found_by_its_name,
    malformed_plugins_are_refused, a_plugin_for_another_version_is_refused,
    a_plugin_cannot_replace_a_stage, the_dynamic_linker_searches_for_no_name,
    a_name_is_searched_in_absolute_folders,
    a_folder_with_the_name_of_a_plugin_is_passed_over,
    a_path_in_a_map_is_used_only_if_the_user_repeats_it,
    a_file_that_the_user_names_is_compared_as_a_file)
