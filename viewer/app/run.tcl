# run.tcl --
#
#   The open runs: the main run, and the run that it is compared with.
#
#   A run that is under way is followed: [eventspace scope --live] computes its
#   views again and again, and the window reads each new view.db.  A view.db that
#   another command has computed again is shown, too.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require view::action
package require view::state
package require eventspace_viewer

namespace eval ::view::run {
    namespace path ::view
    namespace export open close renew follow unfollow look main other \
        query scalar name facts diagnostics has title workers
    namespace ensemble create

    # Commands of [eventspace::open].
    variable Runs {}
    # Dictionary from kind and id to name; see [name].
    variable Names {}
    # Process that computes the views; empty: none.
    variable Process {}
    # Identity of the view.db that is shown.
    variable Seen {}
    # Timer of the next look at the file, and the time between two, ms.
    variable Timer {}
    variable Period 500
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

# renew --
#
#   Opens the main run again, because its views were computed again.  Throws the
#   errors of [eventspace::open]; the run then stays.

proc ::view::run::renew {} {
    variable Runs
    variable Names

    set old [main]
    set new [::eventspace::open [$old get file]]
    set Names {}
    set Runs [lreplace $Runs 0 0 $new]
    $old close
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

# workers --
#
#   Returns the word for the threads of the main run: each may be an MPI rank.

proc ::view::run::workers {} {
    return [expr {[[main] get ranks] ? "ranks" : "threads"}]
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
        call { set name [CallName $id] }
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

# Returns the functions from the root of a tree of calls to a node; empty: it is
# not there.
proc ::view::run::CallName {id} {
    set table [expr {$id < 0 ? "caller_tree" : "call_tree"}]
    if {![has $table]} {
        return ""
    }
    # Parents precede their nodes.
    return [scalar "WITH RECURSIVE up(node, parent, name) AS (
            SELECT node, parent, function FROM $table WHERE node = abs(:id)
            UNION ALL
            SELECT t.node, t.parent, t.function || '/' || up.name
            FROM up JOIN $table t ON t.node = up.parent AND t.node < up.node)
        SELECT name FROM up WHERE parent IS NULL" -bind [list id $id]]
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
# Arguments:
#   news    true: without the notes on views, which tell that a view is not about
#           such a run
#
# Results:
#   A list of {severity subject text}: errors, then warnings, then notes.  Of
#   those with the same text there is one, with all subjects: "r0-r15".

proc ::view::run::diagnostics {{news 0}} {
    variable Runs

    set found {}
    foreach run $Runs {
        set missing [$run get raw_missing]
        if {$missing ne ""} {
            lappend found [list warning [title $run] $missing]
        }
        lappend found {*}[$run query \
            "SELECT severity, subject, text FROM diagnostic
            WHERE NOT ($news AND severity = 'note' AND subject LIKE 'view %')" \
            -limit 1000]
    }
    set found [Together $found]
    set ordered {}
    foreach severity {error warning note} {
        lappend ordered {*}[lsearch -all -inline -exact -index 0 $found \
            $severity]
    }
    return $ordered
}

# Joins the subjects of diagnostics of the same severity and text.
proc ::view::run::Together {found} {
    set subjects {}
    foreach entry $found {
        lassign $entry severity subject text
        dict lappend subjects [list $severity $text] $subject
    }
    set joined {}
    dict for {key names} $subjects {
        lappend joined [list [lindex $key 0] [Ranges $names] [lindex $key 1]]
    }
    return $joined
}

# Returns names with a number at the end as ranges: "r0-r3, r5".  Of many, only
# the first ones are named.
proc ::view::run::Ranges {names} {
    set ranges {}
    set from {}
    foreach name [lsort -dictionary -unique $names] {
        if {$from ne "" && [Follows $last $name]} {
            set ranges [lreplace $ranges end end $from-$name]
        } else {
            set from $name
            lappend ranges $name
        }
        set last $name
    }
    set more [expr {[llength $ranges] - 4}]
    if {$more > 1} {
        set ranges [list {*}[lrange $ranges 0 3] "$more more"]
    }
    return [join $ranges {, }]
}

# Returns true if two names differ only in the number at the end, by 1.
proc ::view::run::Follows {one two} {
    return [expr {[regexp {^(.*\D)(0|[1-9]\d{0,8})$} $one - stem n]
        && $two eq "$stem[expr {$n + 1}]"}]
}

# ---- following

# follow --
#
#   Begins to follow the main run, if it is under way.

proc ::view::run::follow {} {
    variable Process
    variable Seen
    variable Timer
    variable Period

    set file [[main] get file]
    set Seen [Identity $file]
    if {[[main] get live] && $Process eq ""
        && [file dirname [file normalize $file]]
        eq [file normalize [[main] get dir]]} {
        if {[catch {exec {*}[export program scope] --live --quiet \
            [[main] get dir] </dev/null >/dev/null 2>/dev/null &} Process]} {
            state put failed $Process
            set Process {}
        }
    }
    state put follow 1
    after cancel $Timer
    set Timer [after $Period [namespace code look]]
    bind . <Destroy> "+if {{%W} eq {.}} {[namespace code Quit]}"
}

# unfollow --
#
#   Stops following; the window keeps what it has.

proc ::view::run::unfollow {} {
    variable Timer
    Quit
    after cancel $Timer
    state put follow 0
}

# Ends the process that computes the views.
proc ::view::run::Quit {} {
    variable Process
    if {$Process ne ""} {
        catch {exec kill $Process}
        set Process {}
    }
}

# Returns what changes when a file is replaced; empty: there is none.
proc ::view::run::Identity {file} {
    if {[catch {file stat $file stat}]} {
        return {}
    }
    return [list $stat(dev) $stat(ino) $stat(mtime) $stat(size)]
}

# look --
#
#   Shows the view.db if it was replaced, but not during a drag.

proc ::view::run::look {} {
    variable Seen
    variable Timer
    variable Period

    after cancel $Timer
    set Timer [after $Period [namespace code look]]
    set now [Identity [[main] get file]]
    if {$now in [list {} $Seen] || [state get dragging]} {
        return
    }
    set chosen [Chosen]
    if {[catch renew why]} {
        # The next computation replaces the file again.
        state put message $why
        return
    }
    set Seen $now
    ShowRenewed $chosen
    if {![IsLive]} {
        Quit
        state put message "the run has ended: nothing more to follow"
    }
}

# Returns true if the views are of a run that was under way.
proc ::view::run::IsLive {} {
    return [expr {[scalar \
        "SELECT count(*) FROM meta WHERE key = 'live' AND value = 1"] > 0}]
}

# Returns what the user chose, by names, because a run that gets new threads
# numbers its rows and things anew.
proc ::view::run::Chosen {} {
    set names {}
    foreach row [[main] rows] {
        lappend names [list [dict get $row kind] [dict get $row name]]
    }
    set thing [state get thing]
    return [list $names [expr {[llength $thing] == 2
        ? [name {*}$thing] : ""}]]
}

# Restores what the user chose, as [Chosen] returned it, with the numbers of the
# renewed run.  What the run no longer has is left out.
proc ::view::run::Choose {chosen} {
    lassign $chosen names thing
    set new {}
    foreach row [[main] rows] {
        dict set new [list [dict get $row kind] [dict get $row name]] $row
    }
    set to {}
    set row -1
    foreach name $names {
        incr row
        if {[dict exists $new $name]} {
            dict set to $row [dict get $new $name]
        }
    }
    foreach list {hidden folded pinned} {
        state put $list [ChooseRows $to [state get $list]]
    }
    set links {}
    foreach link [state get links] {
        lassign $link from from_ns on on_ns
        if {[dict exists $to $from] && [dict exists $to $on]} {
            lappend links [list [dict get $to $from row] $from_ns \
                [dict get $to $on row] $on_ns]
        }
    }
    state put links $links event [ChooseEvent $to [state get event]] \
        thing [ChooseThing $names $to $thing [state get thing]]
}

# Returns rows with their new numbers.
proc ::view::run::ChooseRows {to rows} {
    set kept {}
    foreach row $rows {
        if {[dict exists $to $row]} {
            lappend kept [dict get $to $row row]
        }
    }
    return $kept
}

# Returns the same operation of the renewed run; empty: it has none.
proc ::view::run::ChooseEvent {to event} {
    if {![dict size $event] || ![dict exists $to [dict get $event row]]} {
        return {}
    }
    # New alignment of clocks may move an operation a little.
    if {[catch {[main] event at [dict get $to [dict get $event row] row] \
        [dict get $event start] 1000} found] || ![dict size $found]} {
        return {}
    }
    foreach key {seq op} {
        if {[dict get $found $key] != [dict get $event $key]} {
            return {}
        }
    }
    return $found
}

# Returns the thing that was chosen.  Threads, processes and hosts are found by
# name; others must have the same name as before.
proc ::view::run::ChooseThing {names to was thing} {
    lassign $thing kind id
    if {$kind ni {thread process host}} {
        return [expr {[llength $thing] != 2 || [name $kind $id] eq $was
            ? $thing : ""}]
    }
    set row [lsearch -exact $names [list $kind $was]]
    return [expr {[dict exists $to $row]
        ? [list $kind [dict get $to $row id]] : ""}]
}

# Shows the new state of the run.  A window that ended with the run still does.
proc ::view::run::ShowRenewed {chosen} {
    set whole [state get whole]
    set t0 [state get t0]
    set span [state get span]
    set grown [expr {max(1.0, [[main] get span])}]
    rows load [[main] rows] [facts]
    Choose $chosen
    state put whole $grown
    if {$t0 + $span >= 0.999 * $whole} {
        # A window that showed all of the run shows all; another one moves on.
        if {$span >= 0.999 * $whole || $t0 <= [lindex [classes measured] 0]} {
            state put span [expr {$grown - $t0}]
        } else {
            state put t0 [expr {max(0.0, $grown - $span)}]
        }
    }
    timeline renew
    hits renew
    overview renew
    classes renew .classes
    findings renew .findings
    charts renew
    tables renew
}

namespace eval ::view {
    action define follow "Follow the running program, or stop" {F} {} {
        if {[state get follow]} {
            run unfollow
            state put message "following stopped; F goes on"
        } else {
            run follow
            state put message "following the run"
        }
    }
}
