# SPDX-License-Identifier: MIT
# scopes/store/sql.awk - SQL files as C strings
#
#	awk -v top=DIR -f sql.awk FILE.sql...
#
# A file holds statements, each under a line "-- name: NAME"; the statement
# becomes the string es__sql_NAME, or PREFIXNAME with -v prefix=PREFIX.  A line
# ".read FILE" stands for the lines of FILE, a path relative to the folder of
# the file with that line.  Lines that are comments, and the semicolon at the
# end of a statement, are left out.  With -v form=text, each statement is
# instead written in one line, after its name and a tab, and without the
# comments at the end of its lines.

function fail(text)
{
	print "sql.awk: " text > "/dev/stderr"
	exit 1
}

function finish(name)
{
	if (name == "")
		return
	sub(/;?\n$/, "", statement)
	if (form == "text") {
		gsub(/\n/, " ", statement)
		print name "\t" statement
	} else {
		gsub(/\\/, "\\\\", statement)
		gsub(/"/, "\\\"", statement)
		gsub(/\n/, "\\n\"\n\t\"", statement)
		print "extern const char " prefix name "[];"
		print "const char " prefix name "[] =\n\t\"" statement "\";"
	}
	statement = ""
}

# Appends the lines of a file to the statement; returns the name of the last.
function take(path, name,    folder, line, words, got)
{
	folder = path
	sub(/[^\/]*$/, "", folder)
	while ((got = getline line < (top "/" path)) > 0) {
		sub(/^[ \t]+/, "", line)
		if (split(line, words, " ") == 3 && words[1] == "--" &&
		    words[2] == "name:") {
			finish(name)
			name = words[3]
		} else if (words[1] == ".read")
			take(folder words[2], name)
		else if (line != "" && line !~ /^--/) {
			if (form == "text")
				sub(/ -- .*/, "", line)
			statement = statement line "\n"
		}
	}
	if (got < 0)
		fail(top "/" path ": cannot be read")
	close(top "/" path)
	return name
}

BEGIN {
	if (prefix == "")
		prefix = "es__sql_"
	for (i = 1; i < ARGC; i++) {
		statement = ""
		finish(take(ARGV[i], ""))
	}
}
