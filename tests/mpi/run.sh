# SPDX-License-Identifier: MIT
#
# tests/mpi/run.sh - MPI programs with and without the interposer
#
# The scripts of this folder source this file, call its functions and end with
# `plan`.  Programs are built by the compilers of each installed MPI; tests of
# an MPI that is not installed are skipped with a reason.

set -u
# A short path: Open MPI appends long names of Unix sockets.
work=$(mktemp -d /tmp/es-mpi.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
TMPDIR=$work
export TMPDIR
programs=$top_srcdir/tests/mpi
counted=$top_builddir/tests/mpi/counted
# Ranks of MPICH yield in tests, but not in measurements.
case $0${SANITIZER:-no} in
*.tapno) yield=$top_builddir/tests/mpi/.libs/yield.so ;;
*) yield= ;;
esac
count=0
failed=0

# For few cores that other tests use, too: ranks are not bound to cores, waiting
# ranks yield, and no network is used.
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1
OMPI_MCA_hwloc_base_binding_policy=none
OMPI_MCA_mpi_yield_when_idle=1
OMPI_MCA_btl=self,vader
OMPI_MCA_btl_vader_single_copy_mechanism=none
# No other component of Open MPI 4.1 supports windows of a single rank.
OMPI_MCA_osc=pt2pt
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM \
    OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_hwloc_base_binding_policy \
    OMPI_MCA_mpi_yield_when_idle OMPI_MCA_btl \
    OMPI_MCA_btl_vader_single_copy_mechanism OMPI_MCA_osc

# result STATUS PROMISE: prints a line of TAP, after a failure with the output.
result() {
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $count - $2"
	else
		failed=$((failed + 1))
		echo "not ok $count - $2"
		tail -n 40 "$work/out" "$work/err" 2>/dev/null | sed 's/^/# /'
	fi
}

skip() {
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

plan() {
	echo "1..$count"
	[ $failed = 0 ]
}

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

# has MPI: tests that this MPI can build and start C programs.  An empty
# MPIRUN_OPENMPI or MPIRUN_MPICH disables it.
has() {
	case $1 in
	openmpi) [ -n "${MPIRUN_OPENMPI-any}" ] ;;
	mpich) [ -n "${MPIRUN_MPICH-any}" ] ;;
	esac &&
	    command -v "mpicc.$1" >/dev/null && command -v "mpirun.$1" >/dev/null
}

mpis=
for mpi in openmpi mpich; do
	has $mpi && mpis="$mpis $mpi"
done
# simulated=yes: the script uses SimGrid's MPI and needs neither.
[ -n "$mpis" ] || [ "${simulated:-no}" = yes ] ||
    skip_all 'neither Open MPI nor MPICH is there'
# Programs that are not built here lack the runtime of a sanitizer, which the
# interposer needs.  sanitized=yes: the script builds all programs that it starts.
[ "${SANITIZER:-no}" = no ] || [ "${sanitized:-no}" = yes ] ||
    skip_all 'programs without a sanitizer cannot load a library with one'

# build MPI NAME SOURCE OPTIONS...: builds $work/NAME.MPI from a source of this
# folder, without optimisation, so that each call in the source is one call
# site.
build() {
	mpi=$1 name=$2 source=$3
	shift 3
	case $source in
	*.F90) compiler=mpif90.$mpi && set -- -J "$work" "$@" ;;
	*) compiler=mpicc.$mpi ;;
	esac
	command -v "$compiler" >/dev/null || return 1
	"$compiler" -O0 -g -w -o "$work/$name.$mpi" "$programs/$source" "$@" \
	    >"$work/out" 2>"$work/err" </dev/null
}

# start MPI RANKS COMMAND...: runs it with output to $work/out and $work/err.
start() {
	mpi=$1 ranks=$2
	shift 2
	set -- -n "$ranks" "$@"
	[ "$mpi" != mpich ] || [ -z "$yield" ] ||
	    set -- -genv LD_PRELOAD "$yield" "$@"
	timeout -k 5 "${LIMIT:-300}" "$programs/launch" "mpirun.$mpi" "$@" \
	    >"$work/out" 2>"$work/err" </dev/null
}

# watch MPI RANKS MODE PROGRAM...: runs a program like `start` and records it;
# the run directory is $work/run.
watch() {
	mpi=$1 ranks=$2 mode=$3
	shift 3
	rm -rf "$work/run"
	start "$mpi" "$ranks" "$EVENTSPACE" mpi -o "$work/run" \
	    --mode "$mode" -- "$@"
}

# told: tests that the first page in $work/out, from its empty line on, says
# that the machine was overloaded, and that the run has lost that much time.  On
# such a machine, culprits are in the tables only.
told() {
	awk 'NF == 0 { getline; print; exit }' "$work/out" |
	    grep -q '^The machine was overloaded: ' &&
	    [ "$("$EVENTSPACE" sql --quiet --csv "$work/run" "SELECT
		CAST(value AS INTEGER) >= 50000 FROM meta
		WHERE key = 'lost_ppm'" 2>>"$work/err" |
		tail -n 1 | tr -d '\r')" = 1 ]
}

# same PROMISE WANT GOT: compares the lines of two files in any order.
same() {
	sort "$2" >"$work/want.sorted"
	sort "$3" >"$work/got.sorted"
	[ -s "$2" ] && diff "$work/want.sorted" "$work/got.sorted" >"$work/err"
	result $? "$1"
}

# numbered PROMISE: tests that each last barrier of numbered.c is the 11th.
numbered() {
	[ "$("$EVENTSPACE" sql --quiet --csv "$work/run" "SELECT count(*),
	    min(last), max(last) FROM (SELECT max(match) AS last
	    FROM event JOIN collector USING (collector)
	    WHERE op = 'MPI_Barrier' GROUP BY process, comm)" \
	    2>"$work/err" | tail -n 1 | tr -d '\r')" = 4,11,11 ]
	result $? "$1"
}
