/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/listen.c - reads the addresses and endpoints of processes
 */

#include "libpaths/map/listen_private.h"

#include "libpaths/map/arena_private.h"
#include "libpaths/map/error_private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

bool
paths__listen_is_address(const char *text)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "abcdefghijklmnopqrstuvwxyz"
				      "0123456789.:%_-";
	size_t length = strlen(text);

	return length > 0 && length <= PATHS_MAP_NAME_BYTES_MAX &&
	    text[0] != '-' && strspn(text, letters) == length;
}

/* Reads "7100", "10.0.0.1:7100" or "[::1]:7100".  Cuts the text at the port. */
static bool
listen_tcp(char *text, struct paths_map_listen *listen)
{
	char *colon = strrchr(text, ':');
	const char *digits = colon == NULL ? text : colon + 1;
	size_t length = strlen(digits);
	unsigned long port = strtoul(digits, NULL, 10);

	if (length == 0 || strspn(digits, "0123456789") != length ||
	    length > 5 || port > UINT16_MAX)
		return false;
	listen->via = PATHS_MAP_VIA_TCP;
	listen->port = (uint16_t)port;
	if (colon == NULL)
		return true;
	*colon = '\0';
	if (text[0] == '[' && colon[-1] == ']') {
		text++;
		colon[-1] = '\0';
	} else if (strchr(text, ':') != NULL) {
		return false;
	}
	listen->address = text;
	return paths__listen_is_address(text);
}

static bool
listen_endpoint(char *text, struct paths_map_listen *listen)
{
	if (strncmp(text, "tcp:", 4) == 0)
		return listen_tcp(text + 4, listen);
	listen->via = PATHS_MAP_VIA_UNIX;
	listen->address = text + 5;
	/* Characters that a Tcl list would quote are refused. */
	return strncmp(text, "unix:", 5) == 0 && text[5] != '\0' &&
	    strpbrk(text, " \t\r\n\v\f{}[]\"\\$;") == NULL &&
	    strlen(text + 5) < sizeof(((struct sockaddr_un *)0)->sun_path);
}

paths_status
paths__listen_parse(struct paths__map *m, uint32_t line, const char *word,
    struct paths_map_listen *listen)
{
	size_t bytes = strlen(word) + 1;
	char *text = paths__arena_take(&m->arena, bytes);

	if (text == NULL)
		return paths__error_nomem(m);
	memcpy(text, word, bytes);
	if (listen_endpoint(text, listen))
		return PATHS_OK;
	return paths__error_syntax(m, line, word,
	    "expected tcp:PORT, tcp:ADDRESS:PORT or unix:FILE");
}
