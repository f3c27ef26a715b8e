/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/replay.c - main() of fuzz programs built without libFuzzer
 *
 * Runs the program once on each file named, and on each file in a folder named.
 */

#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

/* Nothing makes new inputs here. */
size_t
LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
{
	(void)data;
	(void)most;
	return size;
}

/* Longer inputs are cut, as libFuzzer does. */
#define REPLAY_BYTES (1u << 20)

static int
replay_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = malloc(REPLAY_BYTES), *input;
	size_t size;

	if (file == NULL || data == NULL) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	size = fread(data, 1, REPLAY_BYTES, file);
	(void)fclose(file);
	/* A block of exact size lets a sanitizer see reads past the end. */
	input = realloc(data, size > 0 ? size : 1);
	if (input == NULL)
		exit(EXIT_FAILURE);
	(void)LLVMFuzzerTestOneInput(input, size);
	free(input);
	return 1;
}

static int
replay(const char *path)
{
	char name[4096];
	struct dirent *entry;
	DIR *folder = opendir(path);
	int count = 0;

	if (folder == NULL)
		return replay_file(path);
	while ((entry = readdir(folder)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		(void)snprintf(name, sizeof(name), "%s/%s", path,
		    entry->d_name);
		count += replay_file(name);
	}
	(void)closedir(folder);
	return count;
}

int
main(int argc, char **argv)
{
	int count = 0;

	for (int i = 1; i < argc; i++)
		if (argv[i][0] != '-')
			count += replay(argv[i]);
	printf("%d inputs\n", count);
	return EXIT_SUCCESS;
}
