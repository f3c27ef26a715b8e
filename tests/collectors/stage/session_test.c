/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/stage/session_test.c - proves collectors/stage/session.c
 */

#include "tests/collectors/disk.h"
#include "tests/collectors/program.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens a program whose two collectors have these options, and returns the
   capacities of their rings. */
static void
capacities_of(const char *first, const char *second, uint64_t capacity[2])
{
	struct paths_program *program;
	struct es_space_collector c;
	struct es_monitor *monitor;
	struct team *team;
	char map[1024];

	(void)snprintf(map, sizeof(map),
	    PROGRAM_HEAD
	    "thread t0 -process p0\n"
	    "element e0 -process p0 -type u64\n"
	    "path t0 e0 {{collector %s} {collector %s} {element e0}}\n",
	    first, second);
	team = team_open(map);
	program = team_join(team, "p0");
	EXPECT_OK(es_monitor_open(program, &monitor));
	for (uint32_t n = 0; n < 2; n++) {
		EXPECT_OK(es_space_collector(es_monitor_space(monitor), n, &c));
		capacity[n] = c.capacity;
	}
	es_monitor_close(monitor);
	paths_program_close(program);
	team_close(team);
}

static void
a_ring_holds_what_the_map_says(void)
{
	uint64_t capacity[2];

	capacities_of("-keep 1", "-keep 77", capacity);
	EXPECT_EQ(1, capacity[0]);
	EXPECT_EQ(77, capacity[1]);
	capacities_of("", "", capacity);
	EXPECT_EQ(65536, capacity[0]);
	EXPECT_EQ(65536, capacity[1]);
}

static void
rings_without_a_size_share_the_budget(void)
{
	uint64_t capacity[2];

	setenv("PATHS_SPACE_BYTES", "36k", 1);
	capacities_of("", "", capacity);
	EXPECT_EQ(512, capacity[0]);
	EXPECT_EQ(512, capacity[1]);
	capacities_of("-keep 768", "", capacity);
	EXPECT_EQ(768, capacity[0]);
	EXPECT_EQ(256, capacity[1]);
	capacities_of("-keep 100000", "", capacity);
	EXPECT_EQ(100000, capacity[0]);
	EXPECT_EQ(64, capacity[1]);
	unsetenv("PATHS_SPACE_BYTES");
}

#define MANY 1000u

/* Returns a map of MANY threads, each with a path of three collectors.
   space: options of the process. */
static char *
map_of_many(const char *space)
{
	char *map;
	size_t bytes;
	FILE *to = open_memstream(&map, &bytes);

	EXPECT_TRUE(to != NULL);
	(void)fprintf(to,
	    "pathmap 1\nplugin libcollectors.so.0\nhost h0\n"
	    "process p0 -host h0%s\n",
	    space);
	for (uint32_t n = 0; n < MANY; n++)
		(void)fprintf(to,
		    "thread t%u -process p0\n"
		    "element e%u -process p0 -type u64 -full discard\n"
		    "path t%u e%u {{collector} {collector} {collector} "
		    "{element e%u}}\n",
		    n, n, n, n, n);
	(void)fclose(to);
	return map;
}

/* Writes 2000 times on the path of thread t0. */
static void
write_many(struct paths_program *program)
{
	struct paths_thread *thread;
	struct paths_path *path;

	EXPECT_OK(paths_thread_open(program, "t0", &thread));
	EXPECT_OK(paths_path_open(thread, "e0", &path));
	for (uint64_t n = 0; n < 2000; n++)
		EXPECT_OK(paths_path_write(path, &n, sizeof(n)));
	paths_thread_close(thread);
}

/* The disk space stands for the memory: a file is mapped as far as it is
   allocated. */
static void
expect_small_file(const struct team *team)
{
	struct stat status;
	char file[1024];

	(void)snprintf(file, sizeof(file), "%s/p0.space", team_run(team));
	EXPECT_OK(stat(file, &status));
	EXPECT_TRUE((uint64_t)status.st_blocks * 512 < UINT64_C(200) << 20);
}

static void
a_thousand_threads_fit_into_256_mb(void)
{
	struct es_space_collector c;
	struct es_monitor *monitor;
	char *map = map_of_many("");
	struct team *team = team_open(map);
	struct paths_program *program = team_join(team, "p0");

	EXPECT_OK(es_monitor_open(program, &monitor));
	expect_small_file(team);
	write_many(program);
	for (uint32_t n = 0; n < 3 * MANY; n++) {
		EXPECT_OK(es_space_collector(es_monitor_space(monitor), n, &c));
		EXPECT_TRUE(c.capacity >= 1000);
		EXPECT_TRUE(c.count == 0 || c.count == 2000);
		EXPECT_TRUE(c.count == 0 || c.count - c.first >= 1000);
	}
	es_monitor_close(monitor);
	paths_program_close(program);
	team_close(team);
	free(map);
}

/* Returns the capacity of the first of 3 * MANY rings. */
static uint64_t
capacity_of_many(const char *space)
{
	struct es_space_collector c;
	struct es_monitor *monitor;
	char *map = map_of_many(space);
	struct team *team = team_open(map);
	struct paths_program *program = team_join(team, "p0");

	EXPECT_OK(es_monitor_open(program, &monitor));
	EXPECT_OK(es_space_collector(es_monitor_space(monitor), 0, &c));
	es_monitor_close(monitor);
	paths_program_close(program);
	team_close(team);
	free(map);
	return c.capacity;
}

/* 3000 rings of n tuples take n * 108000 bytes. */
static void
the_map_or_the_environment_sets_the_budget(void)
{
	EXPECT_EQ(100, capacity_of_many(" -space 10800000"));
	setenv("PATHS_SPACE_BYTES", "21600000", 1);
	EXPECT_EQ(200, capacity_of_many(" -space 10800000"));
	unsetenv("PATHS_SPACE_BYTES");
}

/* Expects that a program does not open with these options of a collector. */
static void
expect_refused(const char *options, const char *why)
{
	struct paths_program *program;
	struct team *team;
	char map[1024];

	(void)snprintf(map, sizeof(map),
	    PROGRAM_HEAD "thread t0 -process p0\n"
			 "element e0 -process p0 -type u64\n"
			 "path t0 e0 {{collector %s} {element e0}}\n",
	    options);
	team = team_open(map);
	setenv("PATHS_RUN", team_run(team), 1);
	unsetenv("PATHS_SECRET_FILE");
	(void)snprintf(map, sizeof(map), "%s/map", team_run(team));
	EXPECT_TRUE(paths_program_open(map, "p0", &program) != PATHS_OK);
	EXPECT_TRUE(strstr(paths_log_last(), why) != NULL);
	team_close(team);
}

static void
invalid_sizes_and_modes_are_refused(void)
{
	expect_refused("-keep 0", "for -keep");
	expect_refused("-mode loud", "loud");
	setenv("PATHS_SPACE_BYTES", "12q", 1);
	expect_refused("", "PATHS_SPACE_BYTES=12q: \"q\" after the number");
	setenv("PATHS_SPACE_BYTES", "-1", 1);
	expect_refused("", "PATHS_SPACE_BYTES=-1: negative");
	setenv("PATHS_SPACE_BYTES", "99999999999G", 1);
	expect_refused("", "PATHS_SPACE_BYTES=99999999999G: too large");
	unsetenv("PATHS_SPACE_BYTES");
}

static const char *spaceless_run; /* run directory of spaceless_main */
static int spaceless_stderr;

/* Runs a program whose two collectors cannot have a space.  Returns 7 if it
   works without. */
static int
spaceless_main(void)
{
	struct program p = { .team = NULL };
	struct es_monitor *monitor;
	uint64_t value = 1;

	(void)dup2(spaceless_stderr, STDERR_FILENO);
	setenv("PATHS_RUN", spaceless_run, 1);
	if (paths_program_open(NULL, NULL, &p.program) != PATHS_OK ||
	    paths_thread_open(p.program, "t0", &p.thread) != PATHS_OK ||
	    paths_path_open(p.thread, "e0", &p.path) != PATHS_OK)
		return 1;
	if (paths_path_write(p.path, &value, sizeof(value)) != PATHS_OK)
		return 2;
	if (es_monitor_open(p.program, &monitor) != PATHS_ENOENT)
		return 3;
	paths_program_close(p.program);
	return 7;
}

/* Runs a program without a space; captures its messages. */
static void
run_without_space(const char *run, char *said, size_t room)
{
	struct team *team = team_open(
	    PROGRAM_HEAD "thread t0 -process p0\n"
			 "element e0 -process p0 -type u64 -full discard\n"
			 "path t0 e0 {{collector} {collector} {element e0}}\n");
	size_t used = 0;
	int ends[2];
	pid_t child;
	ssize_t got;

	EXPECT_OK(pipe(ends));
	spaceless_run = run;
	spaceless_stderr = ends[1];
	child = team_fork(team, "p0", spaceless_main);
	(void)close(ends[1]);
	while ((got = read(ends[0], said + used, room - 1 - used)) > 0)
		used += (size_t)got;
	said[used] = 0;
	(void)close(ends[0]);
	EXPECT_EQ(7, team_wait(child));
	team_close(team);
}

static void
without_a_run_directory_the_program_runs_with_one_warning(void)
{
	char said[1024];

	run_without_space("", said, sizeof(said));
	EXPECT_TRUE(strstr(said, "process p0: no run directory") != NULL);
	EXPECT_TRUE(strchr(said, '\n')[1] == 0);
	run_without_space("/nowhere/at/all", said, sizeof(said));
	EXPECT_TRUE(strstr(said, "/nowhere/at/all/p0.space: No such") != NULL);
	EXPECT_TRUE(strstr(said, "collectors of process p0 are off") != NULL);
}

static void
on_a_full_disk_the_program_runs_with_a_warning(void)
{
	char folder[] = "/tmp/space.XXXXXX";
	char said[1024];

	EXPECT_TRUE(mkdtemp(folder) != NULL);
	if (!disk_mount(folder)) {
		(void)rmdir(folder);
		TEST_SKIP("a small file system cannot be mounted here");
	}
	run_without_space(folder, said, sizeof(said));
	(void)umount(folder);
	(void)rmdir(folder);
	EXPECT_TRUE(strstr(said, "p0.space") != NULL);
	EXPECT_TRUE(strstr(said, "No space left") != NULL);
}

static int
write_three(struct paths_program *program, const char *process)
{
	struct program p = { .program = program };

	(void)process;
	if (paths_thread_open(program, "t0", &p.thread) != PATHS_OK ||
	    paths_path_open(p.thread, "e0", &p.path) != PATHS_OK)
		return 1;
	for (uint64_t n = 0; n < 3; n++) {
		if (paths_path_write(p.path, &n, sizeof(n)) != PATHS_OK)
			return 2;
	}
	paths_thread_close(p.thread);
	return 0;
}

/* Expects three tuples of the only collector, `name`, in the space of a process
   that has ended. */
static void
expect_three(const struct team *team, const char *process, const char *name)
{
	struct es_space_collector c;
	struct es_space_info info;
	struct es_space *space;
	struct paths_map *map;
	char file[256];

	(void)snprintf(file, sizeof(file), "%s/%s.space", team_run(team),
	    process);
	EXPECT_OK(es_space_open(file, &space));
	es_space_info(space, &info);
	EXPECT_TRUE(info.closed);
	EXPECT_EQ(1, info.collector_count);
	EXPECT_STR_EQ(process, info.process_name);
	EXPECT_OK(es_space_collector(space, 0, &c));
	EXPECT_EQ(3, c.count);
	EXPECT_OK(
	    paths_map_parse(info.map_text, info.map_bytes, "space", &map));
	EXPECT_STR_EQ(name, map->instances[c.instance].name);
	paths_map_close(map);
	es_space_close(space);
}

static void
the_space_of_a_process_has_its_own_collectors(void)
{
	struct team *team = team_open(PROGRAM_HEAD
	    "process p1 -host h0 -listen tcp:0\n"
	    "thread t0 -process p0\n"
	    "element e0 -process p1 -type u64 -full discard\n"
	    "path t0 e0 {{collector} {proxy p1} {collector} {element e0}}\n");
	pid_t server = team_start(team, "p1", NULL);
	pid_t client = team_start(team, "p0", write_three);

	EXPECT_EQ(0, team_wait(client));
	EXPECT_EQ(0, team_wait(server));
	expect_three(team, "p0", "t0/e0.0:collector");
	expect_three(team, "p1", "t0/e0.2:collector");
	team_close(team);
}

TEST_MAIN(a_ring_holds_what_the_map_says, rings_without_a_size_share_the_budget,
    a_thousand_threads_fit_into_256_mb,
    the_map_or_the_environment_sets_the_budget,
    invalid_sizes_and_modes_are_refused,
    without_a_run_directory_the_program_runs_with_one_warning,
    on_a_full_disk_the_program_runs_with_a_warning,
    the_space_of_a_process_has_its_own_collectors)
