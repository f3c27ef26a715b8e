/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/sites.c - names of call sites
 */

#include "viewer/plot/sites.h"

#include "viewer/plot/query.h"

ESV__SQL(site_of);

const char *
esv__site_name(struct esv__sheet *sheet, uint32_t site)
{
	struct esv__query q;
	const char *name;

	esv__query_begin(&q, sheet, esv__sql_site_of);
	esv__query_bind(&q, "site", site);
	name = esv__query_take_text(&q);
	return name[0] == '\0' ? "an unknown place" : name;
}
