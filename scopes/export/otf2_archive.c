/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/otf2_archive.c - an archive of OTF2 that is written
 *
 * A failure of a call of the library is kept, and ends the export later.
 */

#include "scopes/export/otf2_archive_private.h"

#ifdef ES_OTF2

#include "libpaths/log.h"

#include <stdlib.h>

#define CHUNK_BYTES (UINT64_C(1) << 20)

static OTF2_FlushType
otf2_flush(void *user, OTF2_FileType type, OTF2_LocationRef location,
    void *caller, bool final)
{
	(void)user;
	(void)type;
	(void)location;
	(void)caller;
	(void) final;
	return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = {
	.otf2_pre_flush = otf2_flush,
};

static bool
is_full(OTF2_ErrorCode code)
{
	return code == OTF2_ERROR_ENOSPC || code == OTF2_ERROR_EFBIG ||
	    code == OTF2_ERROR_EDQUOT;
}

void
es__otf2_check(struct es__otf2 *o, OTF2_ErrorCode code)
{
	/* Codes below 0 are warnings. */
	if (code <= OTF2_SUCCESS || o->sink.st != PATHS_OK)
		return;
	o->sink.st = paths_log_fail(is_full(code) ? PATHS_EFULL : PATHS_EIO,
	    "%s: %s", o->to, OTF2_Error_GetDescription(code));
}

/* Called by the library instead of printing an error. */
static OTF2_ErrorCode
otf2_failed(void *user, const char *file, uint64_t line, const char *function,
    OTF2_ErrorCode code, const char *format, va_list args)
{
	(void)file;
	(void)line;
	(void)function;
	(void)format;
	(void)args;
	es__otf2_check(user, code);
	return code;
}

OTF2_EvtWriter *
es__otf2_writer(const struct es__otf2 *o, const struct es__export_event *event)
{
	return o->sink.st == PATHS_OK ?
	    o->writers[event->line - o->line_first] :
	    NULL;
}

OTF2_TimeStamp
es__otf2_time(struct es__otf2 *o, int64_t ns)
{
	o->last_ns = ns > o->last_ns ? ns : o->last_ns;
	return (OTF2_TimeStamp)(ns + o->export->shift_ns);
}

OTF2_StringRef
es__otf2_string(struct es__otf2 *o, const char *text)
{
	es__otf2_check(o,
	    OTF2_GlobalDefWriter_WriteString(o->defs, o->strings, text));
	return o->strings++;
}

paths_status
es__otf2_open(struct es__otf2 *o)
{
	(void)OTF2_Error_RegisterCallback(otf2_failed, o);
	o->archive =
	    OTF2_Archive_Open(o->to, "traces", OTF2_FILEMODE_WRITE, CHUNK_BYTES,
		CHUNK_BYTES, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (o->archive == NULL)
		return o->sink.st != PATHS_OK ?
		    o->sink.st :
		    paths_log_fail(PATHS_EIO, "otf2: no archive");
	es__otf2_check(o,
	    OTF2_Archive_SetFlushCallbacks(o->archive, &flush_callbacks, NULL));
	es__otf2_check(o,
	    OTF2_Archive_SetSerialCollectiveCallbacks(o->archive));
	es__otf2_check(o, OTF2_Archive_SetCreator(o->archive, "eventspace"));
	es__otf2_check(o, OTF2_Archive_OpenEvtFiles(o->archive));
	return o->sink.st;
}

void
es__otf2_close(struct es__otf2 *o)
{
	if (o->archive != NULL)
		es__otf2_check(o, OTF2_Archive_Close(o->archive));
	(void)OTF2_Error_RegisterCallback(NULL, NULL);
}

#endif
