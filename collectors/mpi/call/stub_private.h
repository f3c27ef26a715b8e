/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/stub_private.h - what the program calls
 *
 * The door of a procedure goes on to the next library at once where there is
 * nothing to record, and else to the function record_NAME.  It is written in
 * assembler because it must leave no trace: a compiler that has arguments on
 * the stack to pass on, or the rest of the wrapper behind it, saves and copies
 * first what it puts back then, which takes longer than all that is asked here.
 *
 * record_NAME asks the same again and does what a door does not: threads and
 * procedures that are not known yet, requests that are left from when calls
 * were recorded, communicators that the thread did not just use.  So machines
 * that have no doors here call it by the procedure's name.
 */

#ifndef COLLECTORS_MPI_CALL_STUB_PRIVATE_H
#define COLLECTORS_MPI_CALL_STUB_PRIVATE_H

#include "collectors/mpi/call/wrap_private.h"
#include "collectors/mpi/object/comm_private.h"

/* What records a call; its door alone knows of it. */
#define MPI_BEHIND_DOOR __attribute__((used, noinline, visibility("hidden")))

/* clang-format off */
#if defined(__x86_64__)

/*
 * MPI_DOOR - the door of a procedure
 *
 * name		the procedure
 * form, fn	what it is in mpi_next
 * to		which functions it has but record_NAME: one of MPI_DOOR_TO...
 * modes	in which it is recorded
 * ask		what else is asked where it is not, and done before it goes on:
 *		MPI_DOOR_PLAIN or one of those below it
 *
 * Nothing but rax, r10 and r11 is changed, which no argument is in.
 */
#define MPI_DOOR(name, form, fn, to, modes, ask) \
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
		    : MPI_DOOR_THREAD(control), MPI_DOOR_THREAD(process), \
		      MPI_DOOR_THREAD(requests), MPI_DOOR_THREAD(outermost), \
		      MPI_DOOR_THREAD(comms), \
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

#define MPI_DOOR_THREAD(member) \
	[member] "i"(offsetof(struct mpi_thread, member))

/* count_NAME is for MPI_MODE_COUNTED, matrix_NAME for the matrix alone. */
#define MPI_DOOR_TO(name)
#define MPI_DOOR_TO_COUNT(name) \
	"cmpl %[counted], %%r10d\n\t" \
	"je count_" #name "\n\t"
#define MPI_DOOR_TO_MATRIX(name) \
	"cmpl %[matrix], %%r10d\n\t" \
	"je matrix_" #name "\n\t"
#define MPI_DOOR_TO_COUNT_MATRIX(name) \
	MPI_DOOR_TO_COUNT(name) MPI_DOOR_TO_MATRIX(name)

#define MPI_DOOR_PLAIN(name)

/* Of what completes requests: the thread has none that are remembered, and
   never had. */
#define MPI_DOOR_REQUESTS(name) \
	"cmpq $0, %c[requests](%%rax)\n\t" \
	"jne record_" #name "\n\t"

/* Of a collective: it gets its number, as in mpi_collective_skip.  The word
   that the communicator is in stands before it. */
#define MPI_DOOR_NUMBERS(name, word) \
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

/* By where the communicator is among the arguments, from 0. */
#define MPI_DOOR_NUMBERS_0(name) MPI_DOOR_NUMBERS(name, "%%rdi")
#define MPI_DOOR_NUMBERS_1(name) MPI_DOOR_NUMBERS(name, "%%rsi")
#define MPI_DOOR_NUMBERS_2(name) MPI_DOOR_NUMBERS(name, "%%rdx")
#define MPI_DOOR_NUMBERS_3(name) MPI_DOOR_NUMBERS(name, "%%rcx")
#define MPI_DOOR_NUMBERS_4(name) MPI_DOOR_NUMBERS(name, "%%r8")
#define MPI_DOOR_NUMBERS_5(name) MPI_DOOR_NUMBERS(name, "%%r9")
#define MPI_DOOR_NUMBERS_6(name) MPI_DOOR_NUMBERS(name, "8(%%rsp)")
#define MPI_DOOR_NUMBERS_7(name) MPI_DOOR_NUMBERS(name, "16(%%rsp)")
#define MPI_DOOR_NUMBERS_8(name) MPI_DOOR_NUMBERS(name, "24(%%rsp)")
#define MPI_DOOR_NUMBERS_9(name) MPI_DOOR_NUMBERS(name, "32(%%rsp)")

/* The key of a communicator is its handle. */
_Static_assert(MPI_KIND_COMM == 0, "see mpi_key");
_Static_assert(sizeof(bool) == 1 && sizeof(mpi_next[0][0]) == 8,
    "widths in doors");

#else

#define MPI_DOOR(name, form, fn, to, modes, ask) \
	MPI_ALIAS(name, record_##name);

#endif
/* clang-format on */

#endif
