/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/host.c - runs mix from a plugin; is not linked to MPI itself
 *
 *	host PLUGIN
 */

#include <dlfcn.h>
#include <stdio.h>

int
main(int argc, char **argv)
{
	void *plugin = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
	int (*mix)(int, char **) = NULL;

	if (plugin)
		*(void **)&mix = dlsym(plugin, "mix_main");
	if (!mix) {
		fprintf(stderr, "host: %s\n", dlerror());
		return 1;
	}
	return mix(argc, argv);
}
