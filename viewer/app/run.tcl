# run.tcl --
#
#   The open runs: the main run, and the run that it is compared with.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require eventspace_viewer

namespace eval ::view::run {
    namespace export open close main other query scalar name facts \
        diagnostics has title
    namespace ensemble create

    # Commands of [eventspace::open].
    variable Runs {}
    # Dictionary from kind and id to name; see [name].
    variable Names {}
}
package provide view::run 0.1

# open --
#
#   Opens one or two runs.
#
# Arguments:
#   paths   run directories, or files view.db
#
# Results:
#   None.  Throws the errors of [eventspace::open].

proc ::view::run::open {paths} {
    variable Runs
    variable Names

    close
    set Names {}
    foreach path $paths {
        lappend Runs [::eventspace::open $path]
    }
}

proc ::view::run::close {} {
    variable Runs

    foreach run $Runs {
        $run close
    }
    set Runs {}
}

proc ::view::run::main {} {
    variable Runs
    return [lindex $Runs 0]
}

# other --
#
#   Returns the run that the main run is compared with; empty when there is
#   none.

proc ::view::run::other {} {
    variable Runs
    return [lindex $Runs 1]
}

proc ::view::run::title {run} {
    return [file tail [$run get dir]]
}

# query --
#
#   Runs a query on the main run.
#
# Arguments:
#   sql, args   arguments of [R query]
#
# Results:
#   A list of rows.  Throws the errors of SQLite.

proc ::view::run::query {sql args} {
    return [[main] query $sql {*}$args]
}

# scalar --
#
#   Returns the first value of the first row of a query; empty without rows.

proc ::view::run::scalar {sql args} {
    return [lindex [query $sql {*}$args] 0 0]
}

# has --
#
#   Returns true if the main run has a table with rows in it.

proc ::view::run::has {table} {
    if {[scalar "SELECT count(*) FROM sqlite_master WHERE name = '$table'"]
        == 0} {
        return 0
    }
    return [expr {[llength [query "SELECT 1 FROM \"$table\" LIMIT 1"]] > 0}]
}

# name --
#
#   Returns the name of a thing with a kind and an id; "KIND ID" when it has
#   none.

proc ::view::run::name {kind id} {
    variable Names

    if {$kind in {step function}} {
        return "$kind $id"
    }
    if {![dict exists $Names $kind $id]} {
        dict set Names $kind $id [Name $kind $id]
    }
    return [dict get $Names $kind $id]
}

proc ::view::run::Name {kind id} {
    switch -- $kind {
        host - process - thread - element - stage {
            set name [scalar "SELECT name FROM $kind WHERE $kind = :id" \
                -bind [list id $id]]
        }
        rank {
            set name [scalar "SELECT name FROM mpi_rank
                JOIN process USING (process) WHERE rank = :id" \
                -bind [list id $id]]
        }
        site {
            set name [scalar "SELECT coalesce(function || ' ', '')
                || replace(file, rtrim(file, replace(file, '/', '')), '')
                || ifnull(':' || line, '') FROM mpi_site WHERE site = :id" \
                -bind [list id $id]]
        }
        path {
            set name [scalar "SELECT t.name || '/' || e.name FROM path p
                JOIN thread t USING (thread) JOIN element e ON
                e.element = p.element WHERE p.path = :id" \
                -bind [list id $id]]
        }
        default { set name "" }
    }
    return [expr {$name eq "" ? "$kind $id" : $name}]
}

# facts --
#
#   Returns the numbers of threads for filters and sorting.
#
# Results:
#   A dictionary from thread to {share .. communication .. wait ..
#   operations ..}.

proc ::view::run::facts {} {
    set facts {}
    foreach row [query "SELECT thread, ifnull(communication_share, 0),
        ifnull(communication_ns, 0), ifnull(wait_ns, 0),
        ifnull(operations, 0) FROM load_balance" -limit 100000] {
        lassign $row thread share communication wait operations
        dict set facts $thread [list share $share \
            communication $communication wait $wait operations $operations]
    }
    return $facts
}

# diagnostics --
#
#   Returns the diagnostics of all runs.
#
# Results:
#   A list of {severity subject text}: errors, then warnings, then notes.

proc ::view::run::diagnostics {} {
    variable Runs

    set found {}
    foreach run $Runs {
        set missing [$run get raw_missing]
        if {$missing ne ""} {
            lappend found [list warning [title $run] $missing]
        }
        lappend found {*}[$run query \
            "SELECT severity, subject, text FROM diagnostic" -limit 1000]
    }
    set ordered {}
    foreach severity {error warning note} {
        lappend ordered {*}[lsearch -all -inline -exact -index 0 $found \
            $severity]
    }
    return $ordered
}
