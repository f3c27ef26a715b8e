/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/wrap/stub_private.h - entry stubs, the procedures that the
 * program calls
 *
 * The entry stub of a procedure jumps to the next library if there is nothing
 * to record, otherwise to the function record_NAME.  It is written in assembler
 * because a compiler saves registers and copies stack arguments before the
 * first test, which takes longer than all tests of the stub.
 *
 * record_NAME repeats these tests and handles the cases that a stub leaves to
 * it: a thread or a procedure seen for the first time, requests left from when
 * calls were recorded, a communicator other than the last one of the thread.
 * On machines without entry stubs the procedure's name is an alias of
 * record_NAME.
 */

#ifndef COLLECTORS_MPI_WRAP_STUB_PRIVATE_H
#define COLLECTORS_MPI_WRAP_STUB_PRIVATE_H

#include "collectors/mpi/object/comm_find_private.h"
#include "collectors/mpi/wrap/wrap_private.h"

/* A function that records a call; only its entry stub calls it. */
#define MPI_BEHIND_STUB __attribute__((used, noinline, visibility("hidden")))

/* clang-format off */
#if defined(__x86_64__)

/*
 * MPI_STUB - define the entry stub of a procedure
 *
 * name		name of the procedure
 * form, fn	its indices in mpi_next
 * to		functions for single modes: one of MPI_STUB_TO...
 * modes	modes in which the call is recorded
 * ask		further tests and actions when it is not recorded:
 *		MPI_STUB_PLAIN or one of the macros below it
 *
 * The stub changes only rax, r10 and r11, which hold no argument.
 */
#define MPI_STUB(name, form, fn, to, modes, ask) \
	MPI_EXPORT int name(void); \
	__attribute__((naked, no_instrument_function, \
	    no_profile_instrument_function)) int \
	name(void) \
	{ \
		__asm__( \
		    "movq mpi_self@gottpoff(%%rip), %%rax\n\t" \
		    "movq %%fs:(%%rax), %%rax\n\t" \
		    "testq %%rax, %%rax\n\t" \
		    "jz record_" #name "\n\t" \
		    "movq %c[control](%%rax), %%r10\n\t" \
		    "movl %c[mode](%%r10), %%r10d\n\t" \
		    to(name) \
		    "testl %[recorded], %%r10d\n\t" \
		    "jnz record_" #name "\n\t" \
		    "cmpq $0, %c[process](%%rax)\n\t" \
		    "je record_" #name "\n\t" \
		    "cmpq $0, mpi_next+%c[next](%%rip)\n\t" \
		    "je record_" #name "\n\t" \
		    ask(name) \
		    "jmp *mpi_next+%c[next](%%rip)" \
		    : \
		    : MPI_STUB_THREAD(control), MPI_STUB_THREAD(process), \
		      MPI_STUB_THREAD(requests), MPI_STUB_THREAD(outermost), \
		      MPI_STUB_THREAD(comms), \
		      [mode] "i"(offsetof(struct es_mpi_control, mode)), \
		      [recorded] "i"(modes), \
		      [counted] "i"(MPI_MODE_COUNTED), \
		      [matrix] "i"(ES_MODE_MATRIX), \
		      [mask] "i"(offsetof(struct mpi_abi, handle_mask)), \
		      [plain] "i"(offsetof(struct mpi_abi, plain)), \
		      [made] "i"(offsetof(struct mpi_comms, generation)), \
		      [key] "i"(offsetof(struct mpi_comms, last.key)), \
		      [found] "i"(offsetof(struct mpi_comms, last.generation)), \
		      [comm] "i"(offsetof(struct mpi_comms, last.comm)), \
		      [number] "i"(offsetof(struct mpi_comm, collectives)), \
		      [next] "i"(((size_t)(form) * MPI_FN_COUNT + (fn)) * \
			  sizeof(mpi_next[0][0]))); \
	}

/*
 * MPI_STUB_PROFILING - define the PMPI_ name of a procedure of C
 *
 * Goes on at the procedure, after mpi_next_by_profiling.
 */
#define MPI_STUB_PROFILING(name, form, fn) \
	MPI_OWN_ALIAS(own_##name, name); \
	MPI_EXPORT int P##name(void); \
	__attribute__((naked, no_instrument_function, \
	    no_profile_instrument_function)) int \
	P##name(void) \
	{ \
		__asm__( \
		    "cmpq $0, mpi_next+%c[next](%%rip)\n\t" \
		    "jne own_" #name "\n\t" \
		    "movq mpi_profiling@gottpoff(%%rip), %%rax\n\t" \
		    "movb $1, %%fs:(%%rax)\n\t" \
		    "jmp own_" #name \
		    : \
		    : [next] "i"(((size_t)(form) * MPI_FN_COUNT + (fn)) * \
			  sizeof(mpi_next[0][0]))); \
	}

#define MPI_STUB_THREAD(member) \
	[member] "i"(offsetof(struct mpi_thread, member))

/* count_NAME records in MPI_MODE_COUNTED, matrix_NAME in ES_MODE_MATRIX. */
#define MPI_STUB_TO(name)
#define MPI_STUB_TO_COUNT(name) \
	"cmpl %[counted], %%r10d\n\t" \
	"je count_" #name "\n\t"
#define MPI_STUB_TO_MATRIX(name) \
	"cmpl %[matrix], %%r10d\n\t" \
	"je matrix_" #name "\n\t"
#define MPI_STUB_TO_COUNT_MATRIX(name) \
	MPI_STUB_TO_COUNT(name) MPI_STUB_TO_MATRIX(name)

#define MPI_STUB_PLAIN(name)

/* Jumps to record_NAME if the thread ever had a request in its table.  For
   calls that complete requests. */
#define MPI_STUB_REQUESTS(name) \
	"cmpq $0, %c[requests](%%rax)\n\t" \
	"jne record_" #name "\n\t"

/* Gives a collective its number, as mpi_collective_skip does.  `word` is the
   operand that holds the communicator. */
#define MPI_STUB_NUMBERS(name, word) \
	"cmpb $0, mpi_abi+%c[plain](%%rip)\n\t" \
	"je record_" #name "\n\t" \
	"cmpq $0, %c[outermost](%%rax)\n\t" \
	"jne record_" #name "\n\t" \
	"movq mpi_abi+%c[mask](%%rip), %%r11\n\t" \
	"andq " word ", %%r11\n\t" \
	"movq %c[comms](%%rax), %%rax\n\t" \
	"cmpq %%r11, %c[key](%%rax)\n\t" \
	"jne record_" #name "\n\t" \
	"movq %c[made](%%rax), %%r11\n\t" \
	"movl (%%r11), %%r11d\n\t" \
	"cmpl %%r11d, %c[found](%%rax)\n\t" \
	"jne record_" #name "\n\t" \
	"movq %c[comm](%%rax), %%rax\n\t" \
	"testq %%rax, %%rax\n\t" \
	"jz record_" #name "\n\t" \
	"incl %c[number](%%rax)\n\t"

/* The index of the communicator among the arguments is in the name. */
#define MPI_STUB_NUMBERS_0(name) MPI_STUB_NUMBERS(name, "%%rdi")
#define MPI_STUB_NUMBERS_1(name) MPI_STUB_NUMBERS(name, "%%rsi")
#define MPI_STUB_NUMBERS_2(name) MPI_STUB_NUMBERS(name, "%%rdx")
#define MPI_STUB_NUMBERS_3(name) MPI_STUB_NUMBERS(name, "%%rcx")
#define MPI_STUB_NUMBERS_4(name) MPI_STUB_NUMBERS(name, "%%r8")
#define MPI_STUB_NUMBERS_5(name) MPI_STUB_NUMBERS(name, "%%r9")
#define MPI_STUB_NUMBERS_6(name) MPI_STUB_NUMBERS(name, "8(%%rsp)")
#define MPI_STUB_NUMBERS_7(name) MPI_STUB_NUMBERS(name, "16(%%rsp)")
#define MPI_STUB_NUMBERS_8(name) MPI_STUB_NUMBERS(name, "24(%%rsp)")
#define MPI_STUB_NUMBERS_9(name) MPI_STUB_NUMBERS(name, "32(%%rsp)")

/* The key of a communicator is its handle. */
_Static_assert(MPI_KIND_COMM == 0, "see mpi_key");
_Static_assert(sizeof(bool) == 1 && sizeof(mpi_next[0][0]) == 8,
    "widths in entry stubs");

#else

#define MPI_STUB(name, form, fn, to, modes, ask) \
	MPI_ALIAS(name, record_##name);
#define MPI_STUB_PROFILING(name, form, fn) MPI_ALIAS(P##name, name);

#endif
/* clang-format on */

#endif
