/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/stages/memory_test.c - opens all stages with a failing
 * allocation
 *
 * The n-th allocation fails, for every n until none fails.  LeakSanitizer, in a
 * build with --enable-sanitizer=address, checks that all memory is freed.
 */

#include "tests/libpaths/stages/help.h"

#include <stdatomic.h>

/* Number of allocations that succeed before one fails; UINT32_MAX: none
   fails. */
static _Atomic unsigned left = UINT32_MAX;

static bool
allocation_fails(void)
{
	unsigned n = atomic_load(&left);

	if (n == UINT32_MAX)
		return false;
	if (n == 0) {
		atomic_store(&left, UINT32_MAX);
		return true;
	}
	atomic_store(&left, n - 1);
	return false;
}

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__real_reallocarray(void *old, size_t count, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_reallocarray(void *old, size_t count, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
char *__wrap_strdup(const char *text);

void *
__wrap_malloc(size_t bytes)
{
	return allocation_fails() ? NULL : __real_malloc(bytes);
}

void *
__wrap_calloc(size_t count, size_t bytes)
{
	return allocation_fails() ? NULL : __real_calloc(count, bytes);
}

void *
__wrap_realloc(void *old, size_t bytes)
{
	return allocation_fails() ? NULL : __real_realloc(old, bytes);
}

void *
__wrap_reallocarray(void *old, size_t count, size_t bytes)
{
	return allocation_fails() ? NULL :
				    __real_reallocarray(old, count, bytes);
}

void *
__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
	return allocation_fails() ? NULL :
				    __real_aligned_alloc(alignment, bytes);
}

char *
__wrap_strdup(const char *text)
{
	return allocation_fails() ? NULL : __real_strdup(text);
}

/* The map of a program with all stages that need no second process. */
static const char all_stages[] = HELP_HEAD
    "element e -process p -type i64 -keep 4\n"
    "element f -process p -type i64*2 -keep 4\n"
    "stage r reduce -op max -type i64 -process p -inputs 2 "
    "-next {{b}}\n"
    "stage b barrier -process p -inputs 1 -next {{delay 1us} {element e}}\n"
    "stage g gather -type i64 -process p -inputs 2 -next {{element f}}\n"
    "stage s scatter -type i64 -process p -inputs 2 -next {{element f}}\n"
    "stage c broadcast -type i64 -process p -inputs 2 -next {{element e}}\n"
    "thread t -process p\n"
    "path t e {{buffer -tuples 3} {throttle 1G} {r}}\n"
    "path t f {{tee {{buffer} {null}}} {g}}\n"
    "path t n {{delay 1us} {null}}\n"
    "thread u -process p\npath u e {{r}}\npath u f {{g}}\n"
    "thread v -process p\npath v e {{c}}\npath v f {{s}}\n"
    "thread w -process p\npath w e {{c}}\npath w f {{s}}\n";

static void
open_reports_a_failed_allocation(void)
{
	paths_status st;
	unsigned n = 0;

	do {
		struct paths_program *program = NULL;

		atomic_store(&left, n);
		st = help_try(all_stages, &program);
		/* No allocation failed: the program is open. */
		if (atomic_exchange(&left, UINT32_MAX) != UINT32_MAX) {
			EXPECT_OK(st);
			paths_program_close(program);
			break;
		}
		EXPECT_EQ(PATHS_ENOMEM, st);
	} while (++n < 10000);
	EXPECT_TRUE(n > 50 && n < 10000);
}

TEST_MAIN(open_reports_a_failed_allocation)
