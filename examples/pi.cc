/* SPDX-License-Identifier: MIT */
/*
 * examples/pi.cc - pi by integration, in C++
 *
 * Every thread of the map adds up its share of the rectangles below the curve
 * 4 / (1 + x * x), and exchanges on `total`, which returns the sum over all
 * threads.  globalsum.map.tcl writes the map.  examples/pi.f90 is the same
 * program in Fortran.
 *
 *	c++ -std=c++17 -O2 -o pi pi.cc $(pkg-config --cflags --libs eventspace)
 */

#include "libpaths/log.h"
#include "libpaths/path.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace
{

constexpr std::uint32_t rectangles = 1000000;

/* Closes what a unique_ptr of the library owns. */
struct Close {
	void operator()(paths_program *program) const
	{
		paths_program_close(program);
	}
	void operator()(paths_thread *thread) const
	{
		paths_thread_close(thread);
	}
	void operator()(paths_path *path) const
	{
		paths_path_close(path);
	}
};

using Program = std::unique_ptr<paths_program, Close>;
using Thread = std::unique_ptr<paths_thread, Close>;
using Path = std::unique_ptr<paths_path, Close>;

void check(paths_status st)
{
	if (st != PATHS_OK)
		throw std::runtime_error(paths_log_last());
}

void check(paths_status st, const Path &path)
{
	if (st != PATHS_OK)
		throw std::runtime_error(paths_path_why(path.get()));
}

Program open_program()
{
	paths_program *program;

	check(paths_program_open(nullptr, nullptr, &program));
	return Program(program);
}

Thread open_thread(paths_program *program, const char *name)
{
	paths_thread *thread;

	check(paths_thread_open(program, name, &thread));
	return Thread(thread);
}

Path open_path(paths_thread *thread, const char *element)
{
	paths_path *path;

	check(paths_path_open(thread, element, &path));
	return Path(path);
}

/* Adds up rectangle `number` and every `count`-th one after it. */
double sum_of_share(std::uint32_t number, std::uint32_t count)
{
	double sum = 0;

	for (std::uint32_t n = number; n < rectangles; n += count) {
		double x = (n + 0.5) / rectangles;

		sum += 4 / (1 + x * x) / rectangles;
	}
	return sum;
}

/* Computes as a thread of the map.  The first one prints the result. */
void work(paths_program *program, const char *name)
{
	const std::uint32_t count = paths_program_map(program)->thread_count;
	Thread thread = open_thread(program, name);
	Path total = open_path(thread.get(), "total");
	double sum = sum_of_share(std::stoul(name + 1), count);

	check(paths_path_exchange(total.get(), &sum, sizeof(sum)), total);
	if (name == std::string("t0"))
		std::printf("pi: %u threads, %.9f\n", count, sum);
}

/* Ends the process after an error, because other threads wait for this one. */
void work_or_exit(paths_program *program, const char *name)
{
	try {
		work(program, name);
	} catch (const std::exception &error) {
		std::fprintf(stderr, "pi: thread %s: %s\n", name, error.what());
		std::_Exit(EXIT_FAILURE);
	}
}

void run_threads(paths_program *program)
{
	const paths_map *map = paths_program_map(program);
	std::vector<std::thread> threads;

	for (std::uint32_t n = 0; n < map->thread_count; n++)
		if (map->threads[n].process == paths_program_process(program))
			threads.emplace_back(work_or_exit, program,
			    map->threads[n].name);
	for (std::thread &thread : threads)
		thread.join();
}

} /* namespace */

int main()
{
	try {
		run_threads(open_program().get());
	} catch (const std::exception &error) {
		std::fprintf(stderr, "pi: %s\n", error.what());
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
