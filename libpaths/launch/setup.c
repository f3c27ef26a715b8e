/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/setup.c - the settings of a process, from the launcher to its
 * agent
 */

#include "libpaths/launch/setup_private.h"

#include "libpaths/base/array.h"

#include <stdlib.h>
#include <string.h>

void
launch_setup_send(struct launch_channel *c, const struct launch_setup *setup)
{
	struct launch_bytes content = { .memory = NULL };

	launch_put_text(&content, setup->process);
	launch_put_text(&content, setup->run);
	launch_put_text(&content, setup->base);
	launch_put_text(&content, setup->directory);
	launch_put_text(&content, setup->id);
	launch_put_number(&content, setup->grace_ns);
	launch_put_number(&content, setup->silence_ns);
	launch_put_number(&content, setup->ports.low);
	launch_put_number(&content, setup->ports.high);
	launch_put_bytes(&content, setup->secret, sizeof(setup->secret));
	launch_channel_send_bytes(c, LAUNCH_SETUP, &content);
}

/* Copies a text.  Marks the content as wrong when there is no memory. */
static char *
setup_text(struct launch_get *get)
{
	char *text = strdup(launch_get_text(get));

	get->wrong |= text == NULL;
	return text;
}

/* An id becomes a part of file names. */
static bool
setup_take_id(struct launch_setup *setup, struct launch_get *get)
{
	const char *id = launch_get_text(get);

	if (strlen(id) != sizeof(setup->id) - 1 ||
	    strspn(id, "0123456789abcdef") != sizeof(setup->id) - 1)
		return false;
	memcpy(setup->id, id, sizeof(setup->id));
	return true;
}

/* A name of a process becomes a part of file names. */
static bool
setup_is_name(const char *name)
{
	return name[0] != '\0' && strlen(name) <= PATHS_MAP_NAME_BYTES_MAX &&
	    strchr(name, '/') == NULL;
}

static uint16_t
setup_port(struct launch_get *get)
{
	const uint64_t port = launch_get_number(get);

	get->wrong |= port > UINT16_MAX;
	return (uint16_t)port;
}

bool
launch_setup_take(struct launch_setup *setup, struct launch_get *get)
{
	if (setup->process != NULL)
		return false;
	setup->process = setup_text(get);
	setup->run = setup_text(get);
	setup->base = setup_text(get);
	setup->directory = setup_text(get);
	if (!setup_take_id(setup, get))
		return false;
	setup->grace_ns = launch_get_number(get);
	setup->silence_ns = launch_get_number(get);
	setup->ports.low = setup_port(get);
	setup->ports.high = setup_port(get);
	launch_get_bytes(get, setup->secret, sizeof(setup->secret));
	return launch_get_ends(get) && setup_is_name(setup->process);
}

bool
launch_setup_take_word(struct launch_setup *setup, struct launch_get *get)
{
	const char *word = launch_get_text(get);

	if (!launch_get_ends(get) || setup->word_count >= LAUNCH_WORDS_MAX ||
	    !paths__array_reserve(&setup->words, setup->word_count + 2,
		&setup->word_room, sizeof(*setup->words)))
		return false;
	setup->words[setup->word_count] = strdup(word);
	if (setup->words[setup->word_count] == NULL)
		return false;
	setup->words[++setup->word_count] = NULL;
	return true;
}

bool
launch_setup_take_endpoint(struct launch_setup *setup, struct launch_get *get)
{
	char *address;

	if (setup->endpoint_count == PATHS_MAP_LISTEN_MAX)
		return false;
	address = setup_text(get);
	setup->endpoints[setup->endpoint_count] = address;
	setup->endpoint_count += address != NULL;
	return launch_get_ends(get);
}

bool
launch_setup_take_variable(struct launch_get *get)
{
	const char *name = launch_get_text(get);
	const char *value = launch_get_text(get);

	if (!launch_get_ends(get) || name[0] == '\0' ||
	    strchr(name, '=') != NULL)
		return false;
	/* A host has a clock of its own. */
	return setenv(name, value, strcmp(name, "PATHS_CLOCK") != 0) == 0;
}

bool
launch_setup_is_whole(const struct launch_setup *setup)
{
	return setup->process != NULL && setup->word_count > 0;
}

void
launch_setup_fini(struct launch_setup *setup)
{
	free(setup->process);
	free(setup->run);
	free(setup->base);
	free(setup->directory);
	for (size_t n = 0; n < setup->word_count; n++)
		free(setup->words[n]);
	free(setup->words);
	for (size_t n = 0; n < setup->endpoint_count; n++)
		free(setup->endpoints[n]);
	explicit_bzero(setup, sizeof(*setup));
}
