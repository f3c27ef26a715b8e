/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/engine/topology_test.c - topologies are written and read
 *
 * The host is one of hwloc's synthetic topologies, which HWLOC_SYNTHETIC puts
 * in the place of the real one.
 */

#include "libpaths/topology.h"

#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* 16 PUs: two packages, each with two caches of two cores of two PUs. */
#define SYNTHETIC "pack:2 [numa] l3:2 core:2 pu:2"

struct fake {
	char dir[32], file[64];
};

static void
fake_begin(struct fake *fake)
{
	snprintf(fake->dir, sizeof(fake->dir), "/tmp/topology.XXXXXX");
	EXPECT_TRUE(mkdtemp(fake->dir) != NULL);
	snprintf(fake->file, sizeof(fake->file), "%s/h.topology", fake->dir);
	setenv("HWLOC_SYNTHETIC", SYNTHETIC, 1);
	/* The part of hwloc that makes this topology. */
	setenv("HWLOC_COMPONENTS", "synthetic,stop", 1);
}

/* From now on the host is the real one. */
static void
fake_forget(void)
{
	unsetenv("HWLOC_SYNTHETIC");
	unsetenv("HWLOC_COMPONENTS");
}

static void
fake_end(struct fake *fake)
{
	fake_forget();
	unlink(fake->file);
	/* Fails if anything else was left there. */
	EXPECT_EQ(0, rmdir(fake->dir));
}

/* Replaces a text of the file by another one of the same length. */
static void
fake_replace(const struct fake *fake, const char *from, const char *to)
{
	static char text[1 << 16];
	FILE *file = fopen(fake->file, "r+");
	size_t bytes;
	char *at;

	EXPECT_TRUE(file != NULL);
	bytes = fread(text, 1, sizeof(text) - 1, file);
	text[bytes] = 0;
	at = strstr(text, from);
	EXPECT_TRUE(at != NULL);
	memcpy(at, to, strlen(to));
	rewind(file);
	EXPECT_EQ(bytes, fwrite(text, 1, bytes, file));
	EXPECT_EQ(0, fclose(file));
}

/* Compares members, because a PU has bytes behind the last one. */
static void
expect_same(const struct paths_topology_pu *a,
    const struct paths_topology_pu *b)
{
	EXPECT_EQ(a->package, b->package);
	EXPECT_EQ(a->numa, b->numa);
	EXPECT_EQ(a->cache, b->cache);
	EXPECT_EQ(a->core, b->core);
	EXPECT_EQ(a->kernel, b->kernel);
	EXPECT_EQ(a->allowed, b->allowed);
}

static void
a_file_has_the_groups_of_each_pu(void)
{
	struct paths_topology t, here;
	struct fake fake;

	fake_begin(&fake);
	EXPECT_EQ(PATHS_OK, paths_topology_save(fake.file));
	EXPECT_EQ(PATHS_OK, paths_topology_read(fake.file, &t));
	EXPECT_EQ(16, t.count);
	for (uint32_t n = 0; n < t.count; n++) {
		EXPECT_EQ(n / 8, t.pus[n].package);
		EXPECT_EQ(n / 8, t.pus[n].numa);
		EXPECT_EQ(n / 4, t.pus[n].cache);
		EXPECT_EQ(n / 2, t.pus[n].core);
		EXPECT_EQ(n, t.pus[n].kernel);
		EXPECT_TRUE(t.pus[n].allowed);
	}
	/* Without a file, it is the same. */
	EXPECT_EQ(PATHS_OK, paths_topology_here(&here));
	EXPECT_EQ(t.count, here.count);
	for (uint32_t n = 0; n < t.count; n++)
		expect_same(&t.pus[n], &here.pus[n]);
	paths_topology_fini(&here);
	paths_topology_fini(&t);
	fake_end(&fake);
}

/* As in a container that may use the second cache only. */
static void
a_pu_that_is_not_allowed_is_listed(void)
{
	struct paths_topology t;
	struct fake fake;

	fake_begin(&fake);
	EXPECT_EQ(PATHS_OK, paths_topology_save(fake.file));
	fake_replace(&fake, "allowed_cpuset=\"0x0000ffff\"",
	    "allowed_cpuset=\"0x000000f0\"");
	EXPECT_EQ(PATHS_OK, paths_topology_read(fake.file, &t));
	EXPECT_EQ(16, t.count);
	for (uint32_t n = 0; n < t.count; n++)
		EXPECT_EQ(n / 4 == 1, t.pus[n].allowed);
	paths_topology_fini(&t);
	fake_end(&fake);
}

/* The ranks of a host all try to save it; the first one does. */
static void
a_file_that_exists_stays(void)
{
	struct paths_topology t;
	struct fake fake;

	fake_begin(&fake);
	EXPECT_EQ(PATHS_OK, paths_topology_save(fake.file));
	setenv("HWLOC_SYNTHETIC", "pu:3", 1);
	EXPECT_EQ(PATHS_OK, paths_topology_save(fake.file));
	EXPECT_EQ(PATHS_OK, paths_topology_read(fake.file, &t));
	EXPECT_EQ(16, t.count);
	paths_topology_fini(&t);
	fake_end(&fake);
}

/* This host, as hwloc finds it; sysconf counts the same processors. */
static void
the_topology_of_this_host_has_its_processors(void)
{
	struct paths_topology t;
	struct fake fake;
	char host[256] = "";

	fake_begin(&fake);
	fake_forget();
	EXPECT_EQ(PATHS_OK, paths_topology_save(fake.file));
	EXPECT_TRUE(getenv("HWLOC_COMPONENTS") == NULL);
	EXPECT_EQ(PATHS_OK, paths_topology_read(fake.file, &t));
	EXPECT_EQ(sysconf(_SC_NPROCESSORS_ONLN), t.count);
	gethostname(host, sizeof(host) - 1);
	EXPECT_STR_EQ(host, t.host);
	paths_topology_fini(&t);
	fake_end(&fake);
}

static void
other_files_are_refused(void)
{
	struct paths_topology t;
	struct fake fake;
	FILE *file;

	fake_begin(&fake);
	EXPECT_EQ(PATHS_ENOENT, paths_topology_read(fake.file, &t));
	EXPECT_EQ(PATHS_EDAMAGED, paths_topology_read(fake.dir, &t));
	file = fopen(fake.file, "w");
	EXPECT_TRUE(file != NULL);
	EXPECT_EQ(0, fclose(file));
	EXPECT_EQ(PATHS_EDAMAGED, paths_topology_read(fake.file, &t));
	EXPECT_EQ(0, unlink(fake.file));
	EXPECT_EQ(PATHS_OK, paths_topology_save(fake.file));
	fake_replace(&fake, "<topology", "<topologz");
	EXPECT_EQ(PATHS_EDAMAGED, paths_topology_read(fake.file, &t));
	/* hwloc 2.9 ends the process when a set is missing. */
	fake_replace(&fake, "<topologz", "<topology");
	fake_replace(&fake, "complete_cpuset=\"0x00000001\"",
	    "complete_cpusez=\"0x00000001\"");
	EXPECT_EQ(PATHS_EDAMAGED, paths_topology_read(fake.file, &t));
	fake_end(&fake);
	EXPECT_EQ(PATHS_EIO, paths_topology_save(fake.file));
}

TEST_MAIN(a_file_has_the_groups_of_each_pu, a_pu_that_is_not_allowed_is_listed,
    a_file_that_exists_stays, the_topology_of_this_host_has_its_processors,
    other_files_are_refused)
