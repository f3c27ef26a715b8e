/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/abi/abi.c - finds the MPI of this process
 */

#include "collectors/mpi/abi/abi_private.h"

#include "collectors/mpi/abi/library_private.h"
#include "collectors/mpi/base/setting_private.h"
#include "libpaths/log.h"

#include <dlfcn.h>
#include <pthread.h>

/* No MPI_MAX_LIBRARY_VERSION_STRING is larger, also not that of MPI-5. */
#define ABI_VERSION_BYTES 8192

struct mpi_abi mpi_abi;

/* The constants of each MPI.  Handles that are addresses of variables are in
   abi_handles. */
static const struct mpi_abi abi_rows[MPI_ABI_ROWS] = {
	[MPI_ABI_OPEN_MPI] = {
		.name = "Open MPI",
		.handle_bytes = 8,
		.any_source = -1,
		.any_tag = -1,
		.proc_null = -2,
		.lock_exclusive = 1,
		.root = -4,
		.undefined = -32766,
		.in_place = 1,
		.status_bytes = 24,
		.status_source = 0,
		.status_tag = 4,
		.status_error = 8,
		.status_count = 16,
		.error_in_status = 18,
		.combiner_named = 0,
		.topo_cart = 1,
		.topo_graph = 2,
		.topo_dist_graph = 3,
		.thread_step = 1,
	},
	[MPI_ABI_MPICH] = {
		.name = "MPICH",
		.handle_bytes = 4,
		.comm_world = 0x44000000,
		.comm_self = 0x44000001,
		.comm_null = 0x04000000,
		.request_null = 0x2c000000,
		.message_null = 0x2c000000,
		.message_no_proc = 0x6c000000,
		.group_null = 0x08000000,
		.win_null = 0x20000000,
		.type_null = 0x0c000000,
		.type_byte = 0x4c00010d,
		.op_no_op = 0x5800000e,
		.any_source = -2,
		.any_tag = -1,
		.proc_null = -1,
		.lock_exclusive = 234,
		.root = -3,
		.undefined = -32766,
		.status_ignore = 1,
		.statuses_ignore = 1,
		.in_place = UINTPTR_MAX,
		.status_bytes = 20,
		.status_source = 8,
		.status_tag = 12,
		.status_error = 16,
		.error_in_status = 17,
		.combiner_named = 1,
		.topo_graph = 1,
		.topo_cart = 2,
		.topo_dist_graph = 3,
		.thread_step = 1,
	},
	[MPI_ABI_STANDARD] = {
		.name = "MPI-5 ABI",
		.handle_bytes = 8,
		.comm_world = 0x101,
		.comm_self = 0x102,
		.comm_null = 0x100,
		.request_null = 0x180,
		.message_null = 0x128,
		.message_no_proc = 0x129,
		.group_null = 0x108,
		.win_null = 0x110,
		.file_null = 0x118,
		.type_null = 0x200,
		.type_byte = 0x247,
		.op_no_op = 0x3d,
		.any_source = -1,
		.any_tag = -2,
		.proc_null = -3,
		.lock_exclusive = 301,
		.root = -4,
		.undefined = -32766,
		.in_place = 1,
		.status_bytes = 32,
		.status_source = 0,
		.status_tag = 4,
		.status_error = 8,
		.error_in_status = 19,
		.combiner_named = 101,
		.topo_cart = 211,
		.topo_graph = 212,
		.topo_dist_graph = 213,
		.thread_step = 1024,
	},
	/* COMM_SELF differs between the ranks, so it is not a constant. */
	[MPI_ABI_SMPI] = {
		.name = "SMPI",
		.handle_bytes = 8,
		.any_source = -555,
		.any_tag = -444,
		.proc_null = -666,
		.lock_exclusive = 1,
		.root = INT32_MIN,
		.undefined = -333,
		.in_place = (uintptr_t)-222,
		.status_bytes = 20,
		.status_source = 0,
		.status_tag = 4,
		.status_error = 8,
		.error_in_status = 13,
		.combiner_named = 0,
		.topo_graph = 1,
		.topo_cart = 2,
		.topo_dist_graph = 3,
		.thread_step = 1,
	},
};

struct abi_symbol {
	enum mpi_abi_row row;
	size_t member;
	const char *symbol;
};

#define ABI_OPEN(member, symbol) \
	{ \
		MPI_ABI_OPEN_MPI, offsetof(struct mpi_abi, member), symbol \
	}

static const struct abi_symbol abi_handles[] = {
	ABI_OPEN(comm_world, "ompi_mpi_comm_world"),
	ABI_OPEN(comm_self, "ompi_mpi_comm_self"),
	ABI_OPEN(comm_null, "ompi_mpi_comm_null"),
	ABI_OPEN(request_null, "ompi_request_null"),
	ABI_OPEN(message_null, "ompi_message_null"),
	ABI_OPEN(message_no_proc, "ompi_message_no_proc"),
	ABI_OPEN(group_null, "ompi_mpi_group_null"),
	ABI_OPEN(win_null, "ompi_mpi_win_null"),
	ABI_OPEN(file_null, "ompi_mpi_file_null"),
	ABI_OPEN(type_null, "ompi_mpi_datatype_null"),
	ABI_OPEN(type_byte, "ompi_mpi_byte"),
	ABI_OPEN(op_no_op, "ompi_mpi_op_no_op"),
	{ MPI_ABI_SMPI, offsetof(struct mpi_abi, type_null),
	    "smpi_MPI_DATATYPE_NULL" },
	{ MPI_ABI_SMPI, offsetof(struct mpi_abi, type_byte), "smpi_MPI_BYTE" },
	{ MPI_ABI_SMPI, offsetof(struct mpi_abi, op_no_op), "smpi_MPI_NO_OP" },
};

#define ABI_CALL(member, symbol) \
	{ \
		MPI_ABI_NONE, offsetof(struct mpi_abi, call.member), \
		    "PMPI_" symbol \
	}

static const struct abi_symbol abi_calls[] = {
	ABI_CALL(initialized, "Initialized"),
	ABI_CALL(finalized, "Finalized"),
	ABI_CALL(query_thread, "Query_thread"),
	ABI_CALL(get_library_version, "Get_library_version"),
	ABI_CALL(comm_rank, "Comm_rank"),
	ABI_CALL(comm_size, "Comm_size"),
	ABI_CALL(comm_remote_size, "Comm_remote_size"),
	ABI_CALL(comm_test_inter, "Comm_test_inter"),
	ABI_CALL(comm_group, "Comm_group"),
	ABI_CALL(comm_remote_group, "Comm_remote_group"),
	ABI_CALL(comm_get_parent, "Comm_get_parent"),
	ABI_CALL(comm_get_name, "Comm_get_name"),
	ABI_CALL(group_size, "Group_size"),
	ABI_CALL(group_rank, "Group_rank"),
	ABI_CALL(group_incl, "Group_incl"),
	ABI_CALL(group_union, "Group_union"),
	ABI_CALL(group_from_session_pset, "Group_from_session_pset"),
	ABI_CALL(group_translate_ranks, "Group_translate_ranks"),
	ABI_CALL(group_free, "Group_free"),
	ABI_CALL(win_get_group, "Win_get_group"),
	ABI_CALL(file_get_group, "File_get_group"),
	ABI_CALL(topo_test, "Topo_test"),
	ABI_CALL(cartdim_get, "Cartdim_get"),
	ABI_CALL(cart_shift, "Cart_shift"),
	ABI_CALL(graph_neighbors_count, "Graph_neighbors_count"),
	ABI_CALL(graph_neighbors, "Graph_neighbors"),
	ABI_CALL(dist_graph_neighbors_count, "Dist_graph_neighbors_count"),
	ABI_CALL(dist_graph_neighbors, "Dist_graph_neighbors"),
	ABI_CALL(type_size, "Type_size"),
	ABI_CALL(type_size_x, "Type_size_x"),
	ABI_CALL(type_get_envelope, "Type_get_envelope"),
	ABI_CALL(get_count, "Get_count"),
	ABI_CALL(get_elements_x, "Get_elements_x"),
	ABI_CALL(test_cancelled, "Test_cancelled"),
	ABI_CALL(error_class, "Error_class"),
	ABI_CALL(comm_f2c, "Comm_f2c"),
	ABI_CALL(request_f2c, "Request_f2c"),
	ABI_CALL(message_f2c, "Message_f2c"),
	ABI_CALL(type_f2c, "Type_f2c"),
	ABI_CALL(win_f2c, "Win_f2c"),
	ABI_CALL(file_f2c, "File_f2c"),
	ABI_CALL(group_f2c, "Group_f2c"),
	ABI_CALL(op_f2c, "Op_f2c"),
	ABI_CALL(session_f2c, "Session_f2c"),
};

/* The MPI found in the libraries of this process. */
struct abi_seen {
	enum mpi_abi_row row;
	void *init; /* address of PMPI_Init, different in each MPI */
	bool several;
};

static enum mpi_abi_row
abi_classify(const char *name, void *handle)
{
	/* Tested first: an MPI with the ABI of MPI-5 may be built from the same
	   sources as one without it, and then has the symbols below, too. */
	if (strncmp(name, "libmpi_abi.so", 13) == 0 &&
	    dlsym(handle, "MPI_Abi_get_version") != NULL)
		return MPI_ABI_STANDARD;
	if (dlsym(handle, "ompi_mpi_comm_world") != NULL)
		return MPI_ABI_OPEN_MPI;
	if (dlsym(handle, "MPII_Version_ABI") != NULL)
		return MPI_ABI_MPICH;
	if (dlsym(handle, "smpi_process_comm_self") != NULL)
		return MPI_ABI_SMPI;
	return MPI_ABI_NONE;
}

static bool
abi_visit(void *to, const char *name, void *handle)
{
	struct abi_seen *seen = to;
	void *init = dlsym(handle, "PMPI_Init");

	if (init == NULL || init == seen->init)
		return true;
	if (seen->init != NULL) {
		seen->several = true;
		return false;
	}
	seen->init = init;
	seen->row = abi_classify(name, handle);
	return true;
}

/* Copies the first line of the version text of the library. */
static void
abi_ask_version(struct mpi_abi *abi)
{
	char text[ABI_VERSION_BYTES] = "";
	int length;

	if (abi->call.get_library_version == NULL ||
	    abi->call.get_library_version(text, &length) != 0)
		return;
	text[strcspn(text, "\n")] = '\0';
	memcpy(abi->library, text,
	    strnlen(text, sizeof(abi->library) - 1)); /* a 0 follows */
}

/* Returns whether the version text agrees with the symbols of the library; true
   for MPI-5 and SMPI, whose text is not read. */
static bool
abi_confirmed(const struct mpi_abi *abi)
{
	static const struct {
		enum mpi_abi_row row;
		const char *word;
	} words[] = {
		{ MPI_ABI_OPEN_MPI, "Open MPI" },
		{ MPI_ABI_OPEN_MPI, "Spectrum MPI" },
		{ MPI_ABI_MPICH, "MPICH" },
		{ MPI_ABI_MPICH, "MVAPICH" },
		{ MPI_ABI_MPICH, "Intel(R) MPI" },
		{ MPI_ABI_MPICH, "ParaStation" },
	};

	if (abi->row == MPI_ABI_STANDARD || abi->row == MPI_ABI_SMPI)
		return true;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (words[i].row == abi->row &&
		    strstr(abi->library, words[i].word) != NULL)
			return true;
	return false;
}

static void
abi_fill(struct mpi_abi *abi, enum mpi_abi_row row)
{
	*abi = abi_rows[row];
	abi->row = row;
	abi->handle_mask = abi->handle_bytes == 8 ? UINTPTR_MAX : UINT32_MAX;
	for (size_t i = 0; i < sizeof(abi_handles) / sizeof(abi_handles[0]);
	     i++)
		if (abi_handles[i].row == row)
			*(mpi_handle *)((char *)abi + abi_handles[i].member) =
			    (mpi_handle)mpi_library_data(abi_handles[i].symbol);
	for (size_t i = 0; i < sizeof(abi_calls) / sizeof(abi_calls[0]); i++)
		*(void **)((char *)abi + abi_calls[i].member) =
		    mpi_library_next(abi_calls[i].symbol);
	if (row == MPI_ABI_SMPI) {
		const mpi_handle *world = mpi_library_data("MPI_COMM_WORLD");

		abi->comm_world = world == NULL ? 0 : *world;
		/* SMPI ends a program that calls MPI_Comm_get_parent. */
		abi->call.comm_get_parent = NULL;
	}
}

/* The mpi_f08 of MPICH 4.0 returns the indices of C (pmodels/mpich#6270). */
static int32_t
abi_index_base(const struct mpi_abi *abi)
{
	const char *version = strstr(abi->library, "MPICH Version:");

	if (abi->row != MPI_ABI_MPICH || version == NULL)
		return 1;
	version += strcspn(version, "0123456789");
	return strncmp(version, "4.0", 3) == 0 ? 0 : 1;
}

/* Returns whether collectives are known to call no others by MPI_ names.  A
   tool that is preloaded after the interposer may do that. */
static bool
abi_plain(const struct mpi_abi *abi)
{
	return (strncmp(abi->library, "Open MPI", strlen("Open MPI")) == 0 ||
		   strncmp(abi->library, "MPICH", strlen("MPICH")) == 0) &&
	    mpi_setting_number(MPI_SETTING_STACK, 1, 0) == 0;
}

static void
abi_find_once(void)
{
	struct abi_seen seen = { 0 };
	struct mpi_abi abi;

	paths_log_name("eventspace mpi");
	mpi_library_each(abi_visit, &seen);
	/* MPI may be in a file of another name, or in the program itself. */
	if (seen.init == NULL)
		seen.row = abi_classify("", RTLD_DEFAULT);
	if (seen.several) {
		paths_log_warn("two MPI libraries in one process: "
			       "its MPI calls are not recorded");
		return;
	}
	abi_fill(&abi, seen.row);
	abi_ask_version(&abi);
	if (!abi_confirmed(&abi)) {
		paths_log_warn("unknown MPI \"%s\": "
			       "its MPI calls are not recorded",
		    abi.library);
		return;
	}
	abi.f08_index_base = abi_index_base(&abi);
	abi.plain = abi_plain(&abi);
	mpi_abi = abi;
}

void
mpi_abi_find(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, abi_find_once);
}

mpi_handle
mpi_args_made_file(const struct mpi_args *args)
{
	mpi_handle pointer;

	/* In C, files are pointers with every MPI. */
	if (args->fortran)
		return mpi_args_handle(args, args->made, 0,
		    mpi_abi.call.file_f2c);
	memcpy(&pointer, args->made, sizeof(pointer));
	return pointer;
}

bool
mpi_is_running(void)
{
	int flag = 0;

	mpi_abi_find();
	if (mpi_abi.row == MPI_ABI_NONE ||
	    mpi_abi.call.initialized(&flag) != 0 || flag == 0)
		return false;
	return mpi_abi.call.finalized(&flag) == 0 && flag == 0;
}
