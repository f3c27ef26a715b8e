# SPDX-License-Identifier: MIT
#
# tests/bench/programs/numerics.sh - cases of solvers, flows, languages and benchmarks
#
# Cases of tests/bench/mpi_programs.

doc=/usr/share/doc

# Prints verdicts without times.
verdicts() {
	grep -hiE 'error|fail|pass|residual|solution|separator|Success=' \
	    "$work/out" "$work/err" hpccoutf.txt 2>/dev/null |
	    grep -viE 'time|seconds|btl|warning' |
	    sed 's/[0-9.]*e-[0-9]*//g; s/ *[0-9.]* PASSED.*/ PASSED/
		s/ *[0-9.]* *[0-9.]* *[0-9.]* *PASSED/ PASSED/'
}

case_hpcc() {
	sed -e 's/^1000 /200 /' -e '11s/^2/1/' \
	    $doc/hpcc/examples/_hpccinf.txt >hpccinf.txt
	both openmpi verdicts hpcc
}

pingpong() {
	sed -n 's/ bytes *[0-9]* times -->.*/ bytes/p' "$work/out" "$work/err"
}

case_netpipe_openmpi() {
	both openmpi pingpong NPopenmpi -i -u 4096
}

case_netpipe_mpich() {
	both mpich pingpong NPmpich2 -i -u 4096
}

# ---- solvers

case_ptscotch() {
	grid >grid.grf
	both openmpi ordering dgord grid.grf grid.ord
}

# Sorts the ordering that it wrote, because it differs in each run.
ordering() {
	cut -f 2 grid.ord | sort -n
}

# A square grid of 100 x 100 vertices in Scotch's format.
grid() {
	awk -v n=100 'BEGIN {
	    print 0; print n * n, 4 * n * (n - 1); print 0, "000"
	    for (i = 0; i < n * n; i++) {
		edges = ""
		count = 0
		if (i % n) { edges = edges " " i - 1; count++ }
		if (i % n < n - 1) { edges = edges " " i + 1; count++ }
		if (i >= n) { edges = edges " " i - n; count++ }
		if (i < n * (n - 1)) { edges = edges " " i + n; count++ }
		print count edges
	    }
	}'
}

# ScaLAPACK's own tests, which have the same names for both MPIs.
scalapack() {
	cp /usr/share/scalapack/*.dat . 2>/dev/null
	sed -i -e 's/^4\(.*problems sizes\)/2\1/' \
	    -e 's/^4\(.*process grids\)/1\1/' -e 's/^1 2 4 1 3 2 1 /2 /' LU.dat
	both "$1" verdicts "$libraries/scalapack/$1-tests/$2"
}

case_scalapack_openmpi() {
	scalapack openmpi xdlu
}

case_scalapack_mpich() {
	scalapack mpich xdlu
}

case_scalapack_qr_openmpi() {
	scalapack openmpi xdhseqr
}

case_scalapack_qr_mpich() {
	scalapack mpich xdhseqr
}

mumps() {
	cp /usr/lib/mumps/input_simpletest_* . 2>/dev/null
	both openmpi mumps_solution sh -c "exec /usr/lib/mumps/$1 <$2"
}

mumps_solution() {
	grep -A 6 -i 'solution is' "$work/out"
}

case_mumps_real() {
	mumps dsimpletest input_simpletest_real
}

case_mumps_complex() {
	mumps zsimpletest input_simpletest_cmplx
}

superlu() {
	tests=$libraries/superlu-dist/tests/EXAMPLE
	cp "$tests/g20.rua" "$tests/cg20.cua" . 2>/dev/null
	program=$1
	shift
	both openmpi superlu_error "$tests/$program" -r 1 -c 2 "$@"
}

superlu_error() {
	grep -E 'Sol|Process grid|nonzeros|NUMfact space' "$work/out" |
	    sed 's/=.*/=/'
}

case_superlu_real() {
	superlu pddrive g20.rua
}

case_superlu_complex() {
	superlu pzdrive cg20.cua
}

case_petsc() {
	cat >poisson.py <<'END'
import sys, petsc4py
petsc4py.init(sys.argv)
from petsc4py import PETSc
da = PETSc.DMDA().create([20, 20], stencil_width=1)
a = da.createMatrix()
a.setOption(PETSc.Mat.Option.NEW_NONZERO_LOCATION_ERR, False)
begin, end = a.getOwnershipRange()
for row in range(begin, end):
    a[row, row] = 4.0
    for other in (row - 1, row + 1):
        if 0 <= other < 400:
            a[row, other] = -1.0
a.assemble()
x, b = a.createVecs()
b.set(1.0)
ksp = PETSc.KSP().create()
ksp.setOperators(a)
ksp.setType('cg')
ksp.getPC().setType('jacobi')
ksp.setTolerances(rtol=1e-10)
ksp.solve(b, x)
PETSc.Sys.Print('iterations %d, norm %.6e' % (ksp.getIterationNumber(),
    x.norm()))
END
	both openmpi said /usr/bin/python3 poisson.py
}

case_mplrs() {
	cat >cube.ine <<'END'
cube
H-representation
begin
12 7 integer
1 1 0 0 0 0 0
1 0 1 0 0 0 0
1 0 0 1 0 0 0
1 0 0 0 1 0 0
1 0 0 0 0 1 0
1 0 0 0 0 0 1
1 -1 0 0 0 0 0
1 0 -1 0 0 0 0
1 0 0 -1 0 0 0
1 0 0 0 -1 0 0
1 0 0 0 0 -1 0
1 0 0 0 0 0 -1
end
END
	ranks=4 both openmpi mplrs_vertices mplrs cube.ine
}

mplrs_vertices() {
	grep '^ 1 ' "$work/out" | sort
}

case_starpu_cholesky() {
	STARPU_NCPU=1 STARPU_HOSTNAME=here STARPU_SILENT=1
	export STARPU_NCPU STARPU_HOSTNAME STARPU_SILENT
	both openmpi status_only "$libraries/starpu/mpi/mpi_cholesky" \
	    -size 640 -nblocks 4
}

case_starpu_stencil() {
	STARPU_NCPU=1 STARPU_HOSTNAME=here STARPU_SILENT=1
	export STARPU_NCPU STARPU_HOSTNAME STARPU_SILENT
	both openmpi status_only "$libraries/starpu/mpi/stencil5" 20
}

# Counts errors that a program which checks itself prints.
status_only() {
	grep -ciE 'error|fail|abort' "$work/out"
}

# ---- flows and fields

case_freefem() {
	cat >poisson.edp <<'END'
mesh Th = square(10, 10);
fespace Vh(Th, P1);
Vh u, v;
solve p(u, v) = int2d(Th)(dx(u) * dx(v) + dy(u) * dy(v)) - int2d(Th)(v)
    + on(1, 2, 3, 4, u = 0);
real mine = int2d(Th)(u) * (mpirank + 1), all;
mpiReduce(mine, all, processor(0, mpiCommWorld), mpiSUM);
if (mpirank == 0) {
    cout.precision(8);
    cout << "sum " << all << endl;
}
END
	both openmpi freefem_sum FreeFem++-mpi -nw -v 0 poisson.edp
}

freefem_sum() {
	grep '^sum' "$work/out"
}

# ---- data and languages

case_pnetcdf() {
	cat >grid.cdl <<'END'
netcdf grid {
dimensions: x = 4; y = 3;
variables: double t(x, y); t:units = "K";
data: t = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12;
}
END
	ncmpigen -o a.nc grid.cdl 2>/dev/null
	cp a.nc b.nc 2>/dev/null
	both openmpi said ncmpidiff a.nc b.nc
}

case_h5py() {
	cat >parallel.py <<'END'
from mpi4py import MPI
import h5py, numpy
comm = MPI.COMM_WORLD
with h5py.File('out.h5', 'w', driver='mpio', comm=comm) as f:
    d = f.create_dataset('x', (comm.size, 1000), dtype='f8')
    d[comm.rank] = numpy.arange(1000) * (comm.rank + 1)
with h5py.File('out.h5', 'r', driver='mpio', comm=comm) as f:
    total = comm.allreduce(float(f['x'][comm.rank].sum()))
if comm.rank == 0:
    print('total', total)
END
	both openmpi said /usr/bin/python3 parallel.py
}

case_mpi4py() {
	cp "$top_srcdir/tests/mpi/callbacks.py" .
	both openmpi said /usr/bin/python3 callbacks.py
}

case_mpi4py_fft() {
	cat >fft.py <<'END'
from mpi4py import MPI
from mpi4py_fft import PFFT, newDistArray
import numpy
fft = PFFT(MPI.COMM_WORLD, [16, 16, 16], axes=(0, 1, 2), dtype=float)
u = newDistArray(fft, False)
u[:] = numpy.arange(u.size).reshape(u.shape) % 7
back = fft.backward(fft.forward(u, normalize=True))
good = MPI.COMM_WORLD.allreduce(bool(numpy.allclose(u, back)), MPI.LAND)
if MPI.COMM_WORLD.rank == 0:
    print('there and back:', good)
END
	both openmpi said /usr/bin/python3 fft.py
}

case_rmpi() {
	cat >pi.R <<'END'
library(Rmpi, quietly = TRUE)
rank <- mpi.comm.rank(0)
size <- mpi.comm.size(0)
at <- seq(rank, 999, by = size)
part <- sum(4 / (1 + ((at + 0.5) / 1000)^2)) / 1000
all <- mpi.reduce(part, type = 2, op = "sum", dest = 0, comm = 0)
if (rank == 0) cat(sprintf("pi %.8f\n", all))
mpi.quit()
END
	both openmpi rmpi_pi Rscript pi.R
}

rmpi_pi() {
	grep '^pi' "$work/out"
}

case_ruby() {
	cat >ring.rb <<'END'
require "mpi"
MPI.Init
world = MPI::Comm::WORLD
if world.rank == 0
  world.Send("from 0", 1, 7)
elsif world.rank == 1
  got = " " * 6
  world.Recv(got, 0, 7)
  puts got
end
MPI.Finalize
END
	both openmpi said ruby ring.rb
}

yorick() {
	cat >ring.i <<'END'
func ring {
  if (mp_rank) mp_send, 0, double(mp_rank);
  else { for (i = 1; i < mp_size; i++) write, "got", mp_recv(i); }
}
ring;
quit;
END
	both "$1" said "$2" -j ring.i
}

case_yorick_openmpi() {
	yorick openmpi mpy.openmpi
}

case_yorick_mpich() {
	yorick mpich mpy.mpich2
}

case_neuron() {
	cat >cell.hoc <<'END'
objref pc
pc = new ParallelContext()
create soma
access soma
insert hh
pc.barrier()
sum = pc.allreduce(pc.id + 1, 1)
if (pc.id == 0) printf("sum %g of %g\n", sum, pc.nhost)
pc.runworker()
pc.done()
quit()
END
	both openmpi neuron_sum nrniv -mpi cell.hoc
}

neuron_sum() {
	grep '^sum' "$work/out"
}

case_parform() {
	cat >expand.frm <<'END'
Symbols a, b, c, d;
Local f = (a + b + c + d)^12;
id a = b - c;
.sort
Print +s;
.end
END
	both openmpi parform_terms parform -q expand.frm
}

parform_terms() {
	untimed "$work/out" | tail -n 40
}
