/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/topology.c - reads the processing units of a host, from
 * hwloc's XML
 *
 * In hwloc, NUMA nodes are not parents of PUs, but memory children of the
 * object that they are closest to.  So the node of a PU is that of its first
 * ancestor with memory children.
 */

#include "libpaths/topology.h"

#include "libpaths/log.h"

#include <errno.h>
#include <fcntl.h>
#include <hwloc.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Selects the parts of hwloc that read the operating system only: others load
   libraries of devices, which can take a second. */
#define TOPOLOGY_PARTS "HWLOC_COMPONENTS"
#define TOPOLOGY_QUICK "linux,stop"

/* Longest file that is read.  The file of a host with 1024 PUs has half a
   megabyte. */
#define TOPOLOGY_BYTES_MAX (64 << 20)

/* hwloc 3 writes another format unless it is asked for this one. */
#if HWLOC_API_VERSION >= 0x00030000
#define TOPOLOGY_XML HWLOC_TOPOLOGY_EXPORT_XML_FLAG_V2
#else
#define TOPOLOGY_XML 0
#endif

/* Loads a topology that also has the PUs which this process may not use. */
static bool
topology_load(hwloc_topology_t t)
{
	return hwloc_topology_set_flags(t,
		   HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) == 0 &&
	    hwloc_topology_load(t) == 0;
}

static paths_status
topology_write(hwloc_topology_t t, const char *file)
{
	char trying[PATH_MAX];
	const char *slash = strrchr(file, '/');
	int folder = slash == NULL ? 0 : (int)(slash - file) + 1;
	paths_status st = PATHS_OK;

	snprintf(trying, sizeof(trying), "%.*s.%s.%ld", folder, file,
	    file + folder, (long)getpid());
	if (hwloc_topology_export_xml(t, trying, TOPOLOGY_XML) != 0 ||
	    (link(trying, file) != 0 && errno != EEXIST))
		st = paths_log_fail(PATHS_EIO, "%s: %s", file, strerror(errno));
	unlink(trying);
	return st;
}

/* Reads the topology of this host from the operating system. */
static paths_status
topology_open(hwloc_topology_t *t)
{
	bool quick = getenv(TOPOLOGY_PARTS) == NULL;
	bool loaded = false;

	if (quick)
		setenv(TOPOLOGY_PARTS, TOPOLOGY_QUICK, 1);
	if (hwloc_topology_init(t) == 0) {
		loaded = topology_load(*t);
		if (!loaded)
			hwloc_topology_destroy(*t);
	}
	if (quick)
		unsetenv(TOPOLOGY_PARTS);
	return loaded ? PATHS_OK :
			paths_log_fail(PATHS_EIO,
			    "the topology of this host cannot be read");
}

paths_status
paths_topology_save(const char *file)
{
	hwloc_topology_t t;
	paths_status st;

	if (access(file, F_OK) == 0)
		return PATHS_OK;
	st = topology_open(&t);
	if (st == PATHS_OK) {
		st = topology_write(t, file);
		hwloc_topology_destroy(t);
	}
	return st;
}

/* The groups of the previous PU, and the numbers of the next new groups. */
struct topology_groups {
	hwloc_obj_t package, memory, cache, core;
	struct paths_topology_pu next;
};

/* Returns the number of the group of a PU, which is that of the previous PU if
   both are in the same object. */
static uint32_t
groups_number(hwloc_obj_t *before, hwloc_obj_t obj, uint32_t *next)
{
	if (obj != *before || *next == 0) {
		*before = obj;
		(*next)++;
	}
	return *next - 1;
}

/* Returns the first ancestor with memory. */
static hwloc_obj_t
pu_memory(hwloc_obj_t pu)
{
	while (pu->parent != NULL && pu->memory_arity == 0)
		pu = pu->parent;
	return pu;
}

/* Returns the ancestor of a type; NULL: there is none. */
static hwloc_obj_t
pu_parent(hwloc_obj_t pu, hwloc_obj_type_t type)
{
	while (pu != NULL && pu->type != type)
		pu = pu->parent;
	return pu;
}

static struct paths_topology_pu
pu_read(hwloc_topology_t t, hwloc_obj_t pu, struct topology_groups *groups)
{
	hwloc_obj_t package = pu_parent(pu, HWLOC_OBJ_PACKAGE);
	hwloc_obj_t cache = pu_parent(pu, HWLOC_OBJ_L3CACHE);
	hwloc_obj_t core = pu_parent(pu, HWLOC_OBJ_CORE);
	struct paths_topology_pu *next = &groups->next;

	return (struct paths_topology_pu){
		.package =
		    groups_number(&groups->package, package, &next->package),
		.numa =
		    groups_number(&groups->memory, pu_memory(pu), &next->numa),
		.cache = groups_number(&groups->cache,
		    cache == NULL ? package : cache, &next->cache),
		.core = groups_number(&groups->core, core == NULL ? pu : core,
		    &next->core),
		.kernel = pu->os_index,
		.allowed =
		    hwloc_bitmap_isset(hwloc_topology_get_allowed_cpuset(t),
			pu->os_index) != 0,
	};
}

static paths_status
topology_list(hwloc_topology_t t, const char *file,
    struct paths_topology *topology)
{
	int count = hwloc_get_nbobjs_by_type(t, HWLOC_OBJ_PU);
	const char *host =
	    hwloc_obj_get_info_by_name(hwloc_get_root_obj(t), "HostName");
	struct topology_groups groups = { 0 };

	if (count <= 0)
		return paths_log_fail(PATHS_EDAMAGED, "%s: has no PU", file);
	topology->pus = calloc((size_t)count, sizeof(*topology->pus));
	if (topology->pus == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a topology");
	topology->count = (uint32_t)count;
	for (int n = 0; n < count; n++)
		topology->pus[n] = pu_read(t,
		    hwloc_get_obj_by_type(t, HWLOC_OBJ_PU, (unsigned)n),
		    &groups);
	snprintf(topology->host, sizeof(topology->host), "%s",
	    host == NULL ? "" : host);
	return PATHS_OK;
}

/* Returns whether the text of an XML element names an attribute. */
static bool
element_has(const char *element, const char *end, const char *attribute)
{
	size_t length = strlen(attribute);

	for (const char *at = element;
	     (at = memmem(at, (size_t)(end - at), attribute, length)) != NULL;
	     at++) {
		if (at > element && strchr(" \t\r\n", at[-1]) != NULL)
			return true;
	}
	return false;
}

/* Returns whether all objects have complete sets of PUs and nodes where they
   have sets: hwloc 2 reads the first through a null pointer otherwise. */
static bool
topology_is_complete(const char *bytes)
{
	const char *end;

	for (const char *at = bytes; (at = strstr(at, "<object")) != NULL;
	     at = end) {
		end = at + strcspn(at, ">");
		if (element_has(at, end, "cpuset") !=
			element_has(at, end, "complete_cpuset") ||
		    element_has(at, end, "nodeset") !=
			element_has(at, end, "complete_nodeset"))
			return false;
	}
	return true;
}

/* Reads a whole file, and ends it with 0. */
static paths_status
topology_bytes(const char *file, char **bytes, size_t *count)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat about;
	char *text;
	ssize_t n = -1;

	if (fd < 0)
		return paths_log_fail(errno == ENOENT ? PATHS_ENOENT :
							PATHS_EIO,
		    "%s: %s", file, strerror(errno));
	if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) ||
	    about.st_size > TOPOLOGY_BYTES_MAX) {
		close(fd);
		return paths_log_fail(PATHS_EDAMAGED,
		    "%s: not a file of hwloc's XML", file);
	}
	text = malloc((size_t)about.st_size + 1);
	if (text != NULL)
		n = read(fd, text, (size_t)about.st_size);
	close(fd);
	if (n < 0) {
		free(text);
		return text == NULL ?
		    paths_log_fail(PATHS_ENOMEM, "no memory for a topology") :
		    paths_log_fail(PATHS_EIO, "%s: %s", file, strerror(errno));
	}
	text[n] = 0;
	*bytes = text;
	*count = (size_t)n + 1;
	return PATHS_OK;
}

paths_status
paths_topology_read(const char *file, struct paths_topology *topology)
{
	hwloc_topology_t t;
	char *bytes = NULL;
	size_t count = 0;
	paths_status st = topology_bytes(file, &bytes, &count);

	if (st != PATHS_OK)
		return st;
	*topology = (struct paths_topology){ 0 };
	if (hwloc_topology_init(&t) != 0) {
		free(bytes);
		return paths_log_fail(PATHS_ENOMEM, "no memory for a topology");
	}
	if (!topology_is_complete(bytes) ||
	    hwloc_topology_set_xmlbuffer(t, bytes, (int)count) != 0 ||
	    !topology_load(t))
		st = paths_log_fail(PATHS_EDAMAGED,
		    "%s: not a file of hwloc's XML", file);
	else
		st = topology_list(t, file, topology);
	hwloc_topology_destroy(t);
	free(bytes);
	return st;
}

paths_status
paths_topology_here(struct paths_topology *topology)
{
	hwloc_topology_t t;
	paths_status st = topology_open(&t);

	if (st != PATHS_OK)
		return st;
	*topology = (struct paths_topology){ 0 };
	st = topology_list(t, "this host", topology);
	hwloc_topology_destroy(t);
	return st;
}

void
paths_topology_fini(struct paths_topology *topology)
{
	free(topology->pus);
	*topology = (struct paths_topology){ 0 };
}
