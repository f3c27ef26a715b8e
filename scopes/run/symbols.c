/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/symbols.c - finds function, file and line of an address in a
 * program
 *
 * Each module is loaded alone, at the addresses of its own symbols, so an
 * offset needs no translation.
 */

#include "scopes/run/symbols_private.h"

#include "scopes/run/demangle_private.h"

#include "libpaths/log.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Deepest block that is looked at: files of programs are not trusted. */
#define SCOPES_DEPTH_MOST 64

struct es__symbols {
	Dwfl *dwfl;
	Dwfl_Module *module; /* NULL: it has no symbols */
	const char *trouble;
};

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

/* Returns whether a file has a build id, which is given in hex. */
static bool
module_has_build_id(Dwfl_Module *module, const char *build_id)
{
	const unsigned char *bytes;
	GElf_Addr at;
	int count = dwfl_module_build_id(module, &bytes, &at);

	if (count <= 0 || strlen(build_id) != 2 * (size_t)count)
		return false;
	for (int n = 0; n < count; n++) {
		char hex[3];

		snprintf(hex, sizeof(hex), "%02x", bytes[n]);
		if (memcmp(hex, build_id + 2 * n, 2) != 0)
			return false;
	}
	return true;
}

/* Returns whether a file is the one that ran. */
static bool
module_is_same(Dwfl_Module *module, const struct es_mpi_module_def *def)
{
	struct stat about;

	if (def->build_id[0] != '\0')
		return module_has_build_id(module, def->build_id);
	return stat(def->path, &about) == 0 &&
	    (uint64_t)about.st_size == def->file_bytes &&
	    (uint64_t)about.st_mtim.tv_sec == def->file_seconds;
}

/* Returns false for a path that elfutils would wait at, such as a pipe. */
static bool
module_is_file(const struct es_mpi_module_def *def)
{
	struct stat about;

	return stat(def->path, &about) == 0 && S_ISREG(about.st_mode);
}

static void
symbols_load(struct es__symbols *symbols, const struct es_mpi_module_def *def)
{
	Dwfl_Module *module = NULL;
	GElf_Addr bias;

	dwfl_report_begin(symbols->dwfl);
	if (module_is_file(def))
		module = dwfl_report_elf(symbols->dwfl, def->path, def->path,
		    -1, 0, true);
	dwfl_report_end(symbols->dwfl, NULL, NULL);
	if (module == NULL || dwfl_module_getelf(module, &bias) == NULL)
		symbols->trouble = "its file is gone, or no program";
	else if (!module_is_same(module, def))
		symbols->trouble = "its file was replaced";
	else
		symbols->module = module;
}

paths_status
es__symbols_open(const struct es_mpi_module_def *module,
    struct es__symbols **out)
{
	struct es__symbols *symbols = calloc(1, sizeof(*symbols));

	if (symbols != NULL)
		symbols->dwfl = dwfl_begin(&callbacks);
	if (symbols == NULL || symbols->dwfl == NULL) {
		es__symbols_close(symbols);
		return paths_log_fail(PATHS_ENOMEM, "no memory for symbols");
	}
	symbols_load(symbols, module);
	*out = symbols;
	return PATHS_OK;
}

void
es__symbols_close(struct es__symbols *symbols)
{
	if (symbols == NULL)
		return;
	dwfl_end(symbols->dwfl);
	free(symbols);
}

const char *
es__symbols_trouble(const struct es__symbols *symbols)
{
	return symbols->trouble;
}

/* The inlined functions and blocks around an address, innermost first. */
struct scopes {
	Dwarf_Die *unit; /* compilation unit; NULL: not known */
	Dwarf_Addr bias; /* address in the module minus that in the unit */
	Dwarf_Die *dies; /* heap memory */
	int count;
};

/* Finds the unit of an address.  Searches all units if the compiler wrote no
   index of addresses; clang writes none. */
static void
scopes_find_unit(struct scopes *scopes, Dwfl_Module *module, Dwarf_Addr address)
{
	Dwarf_Die *unit = dwfl_module_addrdie(module, address, &scopes->bias);

	if (unit == NULL) {
		do
			unit = dwfl_module_nextcu(module, unit, &scopes->bias);
		while (unit != NULL &&
		    dwarf_haspc(unit, address - scopes->bias) <= 0);
	}
	scopes->unit = unit;
}

/* Finds the innermost function or block around an address among the children of
   a DIE, also in modules of Fortran and in procedures that contain others, over
   which dwarf_getscopes passes.  Returns false, and leaves found unchanged, if
   there is none. */
static bool
scopes_innermost(Dwarf_Die *within, Dwarf_Addr address, int depth,
    Dwarf_Die *found)
{
	Dwarf_Die die;
	bool more = depth < SCOPES_DEPTH_MOST && dwarf_child(within, &die) == 0;

	for (; more; more = dwarf_siblingof(&die, &die) == 0) {
		int tag = dwarf_tag(&die);

		if (dwarf_haspc(&die, address) > 0) {
			*found = die;
			(void)scopes_innermost(&die, address, depth + 1, found);
			return true;
		}
		if ((tag == DW_TAG_module || tag == DW_TAG_subprogram) &&
		    scopes_innermost(&die, address, depth + 1, found))
			return true;
	}
	return false;
}

/* Finds the scopes of the code itself, not of the source that it was inlined
   from. */
static struct scopes
scopes_at(Dwfl_Module *module, Dwarf_Addr address)
{
	struct scopes scopes = { 0 };
	Dwarf_Die *by_source = NULL;
	Dwarf_Die innermost;

	scopes_find_unit(&scopes, module, address);
	if (scopes.unit == NULL)
		return scopes;
	address -= scopes.bias;
	if (dwarf_getscopes(scopes.unit, address, &by_source) > 0)
		innermost = by_source[0];
	else if (!scopes_innermost(scopes.unit, address, 0, &innermost))
		return scopes;
	free(by_source);
	scopes.count = dwarf_getscopes_die(&innermost, &scopes.dies);
	return scopes;
}

/* Languages whose functions have names inside of names. */
enum language { LANGUAGE_OTHER, LANGUAGE_FORTRAN, LANGUAGE_CPP };

/* Codes of languages that dwarf.h may lack.  Source: the list of DWARF language
   codes, dwarfstd.org/languages.html. */
enum {
	LANGUAGE_CODE_CPP_17 = 0x2a,
	LANGUAGE_CODE_CPP_20 = 0x2b,
	LANGUAGE_CODE_FORTRAN_18 = 0x2d
};

static enum language
scopes_language(const struct scopes *scopes)
{
	switch (scopes->unit == NULL ? 0 : dwarf_srclang(scopes->unit)) {
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
	case LANGUAGE_CODE_FORTRAN_18:
		return LANGUAGE_FORTRAN;
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case LANGUAGE_CODE_CPP_17:
	case LANGUAGE_CODE_CPP_20:
		return LANGUAGE_CPP;
	default:
		return LANGUAGE_OTHER;
	}
}

/* Returns the part of a name that a scope adds; NULL: none. */
static const char *
scope_name(Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	switch (dwarf_tag(die)) {
	case DW_TAG_namespace:
		return name == NULL ? "(anonymous namespace)" : name;
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
		/* Classes without a name that have functions. */
		return name == NULL ? "{lambda}" : name;
	case DW_TAG_subprogram:
	case DW_TAG_module:
	case DW_TAG_union_type:
		return name;
	default:
		return NULL;
	}
}

/* Returns the name of a function with those of all that contains it: its module
   and procedure, as "halo::exchange", or namespace and class; NULL: it has no
   name.  The caller frees it. */
static char *
nested_name(Dwarf_Die *function)
{
	Dwarf_Attribute attribute;
	Dwarf_Die origin = *function;
	Dwarf_Die *dies;
	char *name = NULL;
	int count;

	/* An inlined function: as it was declared, in its class. */
	(void)dwarf_formref_die(dwarf_attr(function, DW_AT_abstract_origin,
				    &attribute),
	    &origin);
	(void)dwarf_formref_die(dwarf_attr(&origin, DW_AT_specification,
				    &attribute),
	    &origin);
	count = dwarf_getscopes_die(&origin, &dies);
	for (int n = 0; n < count; n++) {
		const char *part = scope_name(&dies[n]);
		char *longer;

		if (part == NULL)
			continue;
		if (asprintf(&longer, "%s%s%s", part,
			name == NULL ? "" : "::", name == NULL ? "" : name) < 0)
			break;
		free(name);
		name = longer;
	}
	if (count > 0)
		free(dies);
	return name;
}

/* Returns the whole name of a function; NULL: it is dwarf_diename.  The caller
   frees it. */
static char *
function_name(Dwarf_Die *function, enum language language)
{
	Dwarf_Attribute attribute;
	char *name = NULL;

	if (language == LANGUAGE_CPP)
		name =
		    es__demangle(dwarf_formstring(dwarf_attr_integrate(function,
			DW_AT_linkage_name, &attribute)));
	return name != NULL || language == LANGUAGE_OTHER ?
	    name :
	    nested_name(function);
}

/* Finds the place of an address itself, without inlined functions. */
static struct es__symbols_place
place_of(Dwfl_Module *module, Dwarf_Addr address, const struct scopes *scopes)
{
	struct es__symbols_place place = {
		.function = dwfl_module_addrname(module, address)
	};
	Dwarf_Line *line = scopes->unit == NULL ?
	    NULL :
	    dwarf_getsrc_die(scopes->unit, address - scopes->bias);

	if (line != NULL && dwarf_lineno(line, &place.line) == 0)
		place.file = dwarf_linesrc(line, NULL, NULL);
	return place;
}

/* Sets a place to the call of an inlined function. */
static void
place_of_call(Dwarf_Die *inlined, Dwarf_Die *unit,
    struct es__symbols_place *place)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number;
	Dwarf_Files *files;

	place->file = NULL;
	place->line = 0;
	if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute),
		&number) == 0 &&
	    dwarf_getsrcfiles(unit, &files, NULL) == 0)
		place->file = dwarf_filesrc(files, number, NULL, NULL);
	if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute),
		&number) == 0)
		place->line = (int)number;
}

/* Shows the inlined functions at a place, then the function that they were
   inlined into; whole: place.function is kept, because it names the class. */
static paths_status
scopes_show(const struct scopes *scopes, struct es__symbols_place place,
    bool whole, es__symbols_show *show, void *to)
{
	enum language language = scopes_language(scopes);
	paths_status st = PATHS_OK;
	bool last = false;

	for (int n = 0; st == PATHS_OK && !last && n < scopes->count; n++) {
		Dwarf_Die *die = &scopes->dies[n];
		struct es__symbols_place here = place;
		char *name = NULL;

		last = dwarf_tag(die) == DW_TAG_subprogram;
		if (!last && dwarf_tag(die) != DW_TAG_inlined_subroutine)
			continue;
		if (language == LANGUAGE_FORTRAN || !last || !whole)
			name = function_name(die, language);
		if (name != NULL)
			here.function = name;
		else if (!last || (dwarf_diename(die) != NULL && !whole))
			here.function = dwarf_diename(die);
		st = show(to, &here, !last);
		if (!last)
			place_of_call(die, scopes->unit, &place);
		free(name);
	}
	return st == PATHS_OK && !last ? show(to, &place, false) : st;
}

paths_status
es__symbols_find(struct es__symbols *symbols, uint64_t offset,
    es__symbols_show *show, void *to)
{
	struct es__symbols_place place = { 0 };
	/* The return address is the end of the call instruction. */
	Dwarf_Addr address = offset - 1;
	struct scopes scopes;
	char *readable;
	paths_status st;

	if (symbols->module == NULL)
		return show(to, &place, false);
	scopes = scopes_at(symbols->module, address);
	place = place_of(symbols->module, address, &scopes);
	readable = es__demangle(place.function);
	if (readable != NULL)
		place.function = readable;
	st = scopes_show(&scopes, place, readable != NULL, show, to);
	free(readable);
	free(scopes.dies);
	return st;
}
