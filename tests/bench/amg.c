/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/amg.c - products of matrices and vectors in an AMG hierarchy
 *
 *	amg [-n POINTS] [-i ITERATIONS]
 *
 * Solves a Laplace problem with POINTS^3 unknowns (32) with BoomerAMG of hypre,
 * and multiplies the matrix of each level of the hierarchy ITERATIONS times
 * (200) with a vector, in a phase whose number is the level and 10.  Rank 0
 * prints the cycles of the solver, and a line for each level, with tabs: level,
 * rows of the matrix, messages and bytes of a product by hypre's communication
 * package, and seconds of all products of the slowest rank.
 */

#include <_hypre_parcsr_ls.h>

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The phase of a level is its number and this; MPI_Pcontrol gives smaller
   numbers a meaning. */
#define FIRST_PHASE 10

/* Multiplies again and again in the phase of a level. */
static void
multiply(int level, hypre_ParCSRMatrix *matrix, hypre_ParVector *const *vectors,
    int iterations)
{
	MPI_Pcontrol(FIRST_PHASE + level);
	for (int n = 0; n < iterations; n++)
		hypre_ParCSRMatrixMatvec(1, matrix, vectors[0], 0, vectors[1]);
	MPI_Pcontrol(-1);
}

/* Returns a part of this rank along one axis of a grid of ranks. */
static HYPRE_ParCSRMatrix
laplace(int points, int ranks, int rank)
{
	HYPRE_Real values[4] = { 6, -1, -1, -1 };
	int sides[3] = { 0, 0, 0 };

	MPI_Dims_create(ranks, 3, sides);
	return GenerateLaplacian(MPI_COMM_WORLD, points, points, points,
	    sides[0], sides[1], sides[2], rank % sides[0],
	    rank / sides[0] % sides[1], rank / sides[0] / sides[1], values);
}

static hypre_ParVector *
vector(hypre_ParCSRMatrix *matrix, double value)
{
	hypre_ParVector *v = hypre_ParVectorCreate(MPI_COMM_WORLD,
	    hypre_ParCSRMatrixGlobalNumRows(matrix),
	    hypre_ParCSRMatrixRowStarts(matrix));

	hypre_ParVectorInitialize(v);
	hypre_ParVectorSetConstantValues(v, value);
	return v;
}

/* Multiplies on one level, and prints a line. */
static void
run_level(int n, hypre_ParCSRMatrix *matrix, int iterations, int rank)
{
	hypre_ParVector *vectors[2] = { vector(matrix, 1), vector(matrix, 0) };
	hypre_ParCSRCommPkg *package;
	double sums[2], times[1], all[2], longest;
	int sends;

	if (hypre_ParCSRMatrixCommPkg(matrix) == NULL)
		hypre_MatvecCommPkgCreate(matrix);
	package = hypre_ParCSRMatrixCommPkg(matrix);
	sends = hypre_ParCSRCommPkgNumSends(package);
	sums[0] = sends;
	sums[1] = 8.0 * hypre_ParCSRCommPkgSendMapStart(package, sends);
	/* The first product allocates buffers. */
	hypre_ParCSRMatrixMatvec(1, matrix, vectors[0], 0, vectors[1]);
	MPI_Barrier(MPI_COMM_WORLD);
	times[0] = -MPI_Wtime();
	multiply(n, matrix, vectors, iterations);
	times[0] += MPI_Wtime();
	MPI_Reduce(sums, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	MPI_Reduce(times, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d\t%lld\t%.0f\t%.0f\t%.9f\n", n,
		    (long long)hypre_ParCSRMatrixGlobalNumRows(matrix), all[0],
		    all[1], longest);
	hypre_ParVectorDestroy(vectors[0]);
	hypre_ParVectorDestroy(vectors[1]);
}

/* Solves the problem, and prints its cycles.  Returns the relative residual. */
static double
solve(HYPRE_Solver solver, HYPRE_ParCSRMatrix matrix, int rank)
{
	hypre_ParVector *right = vector((hypre_ParCSRMatrix *)matrix, 1);
	hypre_ParVector *x = vector((hypre_ParCSRMatrix *)matrix, 0);
	HYPRE_Int cycles = 0;
	double residual = 1;

	HYPRE_BoomerAMGSetMaxIter(solver, 50);
	HYPRE_BoomerAMGSetTol(solver, 1e-8);
	HYPRE_BoomerAMGSetup(solver, matrix, (HYPRE_ParVector)right,
	    (HYPRE_ParVector)x);
	HYPRE_BoomerAMGSolve(solver, matrix, (HYPRE_ParVector)right,
	    (HYPRE_ParVector)x);
	HYPRE_BoomerAMGGetFinalRelativeResidualNorm(solver, &residual);
	HYPRE_BoomerAMGGetNumIterations(solver, &cycles);
	if (rank == 0)
		printf("cycles\t%d\n", (int)cycles);
	hypre_ParVectorDestroy(right);
	hypre_ParVectorDestroy(x);
	return residual;
}

int
main(int argc, char **argv)
{
	int rank, ranks, points = 32, iterations = 200;
	HYPRE_ParCSRMatrix matrix;
	HYPRE_Solver solver;
	double residual;

	MPI_Init(&argc, &argv);
	for (int c; (c = getopt(argc, argv, "n:i:")) != -1;)
		*(c == 'n' ? &points : &iterations) = atoi(optarg);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	HYPRE_Init();
	matrix = laplace(points, ranks, rank);
	HYPRE_BoomerAMGCreate(&solver);
	residual = solve(solver, matrix, rank);
	for (int n = 0;
	     n < hypre_ParAMGDataNumLevels((hypre_ParAMGData *)solver); n++)
		run_level(n,
		    hypre_ParAMGDataAArray((hypre_ParAMGData *)solver)[n],
		    iterations, rank);
	HYPRE_BoomerAMGDestroy(solver);
	HYPRE_ParCSRMatrixDestroy(matrix);
	HYPRE_Finalize();
	MPI_Finalize();
	/* The solver must have converged. */
	return residual <= 1e-8 ? 0 : 1;
}
