# SPDX-License-Identifier: MIT
#
# tests/scopes/store/sql.sh - runs every statement of every .sql file
#
# The script that sources this file sets $floor, the folder of the files.  The
# compiler sees a statement as a string, so only SQLite finds its mistakes.

count=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
TMPDIR=$folder
export TMPDIR

verdict() {
	ended=$?
	count=$((count + 1))
	if [ $ended = 0 ]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		sed 's/^/# /' "$folder/err" 2>/dev/null
	fi
	: >"$folder/err"
}

new_run() {
	run=$("$top_builddir/tests/scopes/$1" "$2" | sed -n 's|^/|/|p')
	[ -d "$run" ] && eventspace scope --quiet "$run" && echo "$run"
}

# runs STATEMENT: SQLite runs it on both runs, with parameters of value 1.  A
# CREATE statement has been run by eventspace scope: the rows of its view or
# table are read.  A statement that joins events with a table of MPI runs on the
# MPI run only, whose events have the columns of MPI.
runs() {
	set -- "$(printf "%s\n" "$1" | sed 's/:[a-z][a-z]*/1/g')"
	case $1 in
	"CREATE VIEW "* | "CREATE TABLE "*)
		set -- "${1#CREATE * }"
		set -- "SELECT * FROM ${1%%[ (]*} LIMIT 1"
		;;
	esac
	case $1 in
	*" event "*" mpi_"*) on=$mpi ;;
	*) on="$paths $mpi" ;;
	esac
	for run in $on; do
		eventspace sql "$run" "$1" >"$folder/out" 2>>"$folder/err" ||
		    return
	done
}

# used NAME: tests that a source of the floor declares the statement.
used() {
	grep -rqE --include='*.c' -e "ESV?__SQL\($1\)" "$top_srcdir/$floor" &&
	    return
	echo "no source declares $1" >>"$folder/err"
	false
}

paths=$(new_run make_run ended) && mpi=$(new_run make_mpi_run both)
verdict "runs for the statements can be made"

tab=$(printf '\t')
files=$(cd "$top_srcdir" && find "$floor" -name '*.sql' | sort)
for file in $files; do
	awk -v form=text -v top="$top_srcdir" \
	    -f "$top_srcdir/scopes/store/sql.awk" "$file" >"$folder/statements"
	if ! [ -s "$folder/statements" ]; then
		name=${file##*/}
		(cd "$top_srcdir" && grep -rq --include='*.sql' \
		    "^\\.read \\(.*/\\)*$name\$" "$floor")
		verdict "$file is part of a statement"
		continue
	fi
	while IFS=$tab read -r name statement; do
		runs "$statement" && used "$name"
		verdict "$name of $file runs, and is used"
	done <"$folder/statements"
done

! runs "SELECT nothing FROM meta"
verdict "the check sees a wrong statement"
! used nothing
verdict "the check sees a statement that is not used"
echo "1..$count"
