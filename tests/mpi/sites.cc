/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/sites.cc - calls of MPI in C++ functions of all kinds
 */

#include <mpi.h>

#include <functional>

namespace halo {
struct mesh {
	mesh();
	void exchange(int count) const;
	int operator()(int count);
	static void fixed();
};

mesh::mesh()
{
	MPI_Barrier(MPI_COMM_WORLD);
}

void
mesh::exchange(int count) const
{
	for (int n = 0; n < count; n++)
		MPI_Barrier(MPI_COMM_WORLD);
}

int
mesh::operator()(int count)
{
	MPI_Barrier(MPI_COMM_WORLD);
	return count;
}

void
mesh::fixed()
{
	MPI_Barrier(MPI_COMM_WORLD);
}

template <typename T>
T
reduce(T value)
{
	MPI_Barrier(MPI_COMM_WORLD);
	return value;
}

namespace {
void
hidden()
{
	MPI_Barrier(MPI_COMM_WORLD);
}
} // namespace
} // namespace halo

static inline __attribute__((always_inline)) void
inlined()
{
	MPI_Barrier(MPI_COMM_WORLD);
}

int
main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	halo::mesh mesh;
	mesh.exchange(argc);
	mesh(argc);
	halo::mesh::fixed();
	halo::reduce(1.0);
	halo::hidden();
	auto lambda = [](int count) {
		for (int n = 0; n < count; n++)
			MPI_Barrier(MPI_COMM_WORLD);
	};
	lambda(argc);
	std::function<void(int)> by_object = lambda;
	by_object(argc);
	inlined();
	return MPI_Finalize();
}
