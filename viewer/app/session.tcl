# session.tcl --
#
#   What is kept from one look at a run to the next: bookmarks, marks, queries,
#   filters, folds, the window.
#
#   In a file beside the database, never in it; where the run's folder cannot
#   be written, below XDG_STATE_HOME.  It is written under a temporary name and
#   renamed, so that it is whole or the one before.  It is data: nothing in it
#   is evaluated.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require view::action
package require view::rows
package require view::run
package require view::state
package require view::theme

namespace eval ::view::session {
    namespace path ::view
    namespace export load save file_of begin text parse
    namespace ensemble create

    variable Head "eventspace-session 1"
    # Keys that are kept as they are; those that hold rows are kept as
    # {kind id}, for rows are numbered anew each time.
    variable Plain {t0 span marks bookmarks queries filters sort arrows theme}
    variable RowLists {folded hidden pinned}
    # Nothing is written before what was there has been read.
    variable Ready 0
    variable Waiting {}
}
package provide view::session 0.1

# file_of --
#
#   Where the session of the run is kept.

proc ::view::session::file_of {} {
    set database [file normalize [[run main] get file]]
    set folder [file dirname $database]
    if {[Writable $folder]} {
        return [file join $folder [file tail $database].session]
    }
    if {[info exists ::env(XDG_STATE_HOME)] && $::env(XDG_STATE_HOME) ne ""} {
        set home $::env(XDG_STATE_HOME)
    } else {
        set home [file join $::env(HOME) .local state]
    }
    # One name for each path.
    set name [string map {% %25 / %2f} $database]
    if {[string length $name] > 200} {
        set name [format %08x-%s [zlib crc32 $name] [string range $name \
            end-180 end]]
    }
    return [file join $home eventspace $name.session]
}

proc ::view::session::Writable {folder} {
    return [file writable $folder]
}

# text, parse --
#
#   A session as text, and back: a head, then a line for each key, each a Tcl
#   list of two.
#
# Results:
#   A dictionary.  parse throws {EVENTSPACE VIEW SESSION}.

proc ::view::session::text {session} {
    variable Head

    set lines [list $Head]
    dict for {key value} $session {
        # A value in one line: a backslash and n for each newline in it.
        lappend lines [list $key [string map {\\ \\\\ \n \\n} $value]]
    }
    return [join $lines \n]\n
}

proc ::view::session::parse {text} {
    variable Head

    set lines [split [string trimright $text \n] \n]
    if {[lindex $lines 0] ne $Head} {
        throw {EVENTSPACE VIEW SESSION} "it does not begin with \"$Head\""
    }
    set session {}
    foreach line [lrange $lines 1 end] {
        if {![string is list $line] || [llength $line] != 2} {
            throw {EVENTSPACE VIEW SESSION} "line \"$line\" is no pair"
        }
        lassign $line key value
        set value [string map {\\\\ \\ \\n \n} $value]
        Check $key $value
        dict set session $key $value
    }
    return $session
}

# Whether a value can be what it should be.
proc ::view::session::Check {key value} {
    set good 1
    switch -- $key {
        t0 - span { set good [string is double -strict $value] }
        arrows { set good [string is boolean -strict $value] }
        marks { set good [EachHas $value 3 2] }
        bookmarks { set good [EachHas $value 4 2] }
        folded - hidden - pinned { set good [EachHas $value 2 0] }
        queries {
            set good [expr {[string is list $value]
                && [llength $value] % 2 == 0}]
        }
        filters {
            set good [expr {[string is list $value] && ![catch {
                foreach one $value { rows check $one }
            }]}]
        }
        sort {
            set good [expr {[string is list $value]
                && [lindex $value 0] in [rows orders]
                && [string is boolean -strict [lindex $value 1]]}]
        }
        theme { set good [expr {$value in [theme names]}] }
        geometry { set good [regexp {^\d+x\d+([-+]-?\d+){2}$} $value] }
    }
    if {!$good} {
        throw {EVENTSPACE VIEW SESSION} "its $key cannot be \"$value\""
    }
}

# A list of lists of so many, of which the first few are numbers.
proc ::view::session::EachHas {value count numbers} {
    if {![string is list $value]} {
        return 0
    }
    foreach one $value {
        if {![string is list $one] || [llength $one] != $count} {
            return 0
        }
        foreach number [lrange $one 0 $numbers-1] {
            if {![string is double -strict $number]} {
                return 0
            }
        }
    }
    return 1
}

proc ::view::session::Gather {} {
    variable Plain
    variable RowLists

    foreach key $Plain {
        dict set session $key [state get $key]
    }
    foreach key $RowLists {
        dict set session $key [lmap row [state get $key] {
            set entry [rows get $row]
            list [dict get $entry kind] [dict get $entry id]
        }]
    }
    if {[winfo ismapped .]} {
        dict set session geometry [wm geometry .]
    }
    return $session
}

# save --
#
#   Write the session.  That it cannot be written is told in the status bar.

proc ::view::session::save {} {
    variable Ready
    variable Waiting

    after cancel $Waiting
    set Waiting {}
    if {!$Ready} {
        return
    }
    set path [file_of]
    try {
        file mkdir [file dirname $path]
        set channel [file tempfile temporary $path]
        chan configure $channel -encoding utf-8
        puts -nonewline $channel [text [Gather]]
        close $channel
        file rename -force $temporary $path
    } on error why {
        state put message "the session is not kept: $why"
        if {[info exists temporary]} {
            file delete $temporary
        }
    }
}

# load --
#
#   Read the session, where there is one.
#
# Arguments:
#   options     what the command line says goes before: a list of keys

proc ::view::session::load {{options {}}} {
    variable Ready

    set Ready 1
    set path [file_of]
    if {![file exists $path]} {
        return
    }
    try {
        set channel [open $path]
        chan configure $channel -encoding utf-8
        set session [parse [read $channel]]
    } on error why {
        state put message "the session is not taken up: $path: $why"
        return
    } finally {
        if {[info exists channel]} { close $channel }
    }
    Restore [dict remove $session {*}$options]
}

proc ::view::session::Restore {session} {
    variable Plain
    variable RowLists

    dict for {key value} $session {
        if {$key in {t0 span}} continue
        if {$key in $Plain} {
            state put $key $value
        } elseif {$key in $RowLists} {
            state put $key [lmap thing $value {
                set row [rows named {*}$thing]
                if {$row eq ""} continue
                set row
            }]
        }
    }
    if {[dict exists $session t0] && [dict exists $session span]} {
        lassign [ns clamp [dict get $session t0] [dict get $session span] \
            [state get whole]] t0 span
        state put t0 $t0 span $span
    }
    if {[dict exists $session geometry]} {
        catch {wm geometry . [dict get $session geometry]}
    }
}

# begin --
#
#   From now on keep what changes, a moment after it does.

proc ::view::session::begin {} {
    variable Plain
    variable RowLists

    state watch [concat $Plain $RowLists] [namespace code Later] .
}

proc ::view::session::Later {args} {
    variable Waiting
    after cancel $Waiting
    set Waiting [after 1000 [namespace code save]]
}

namespace eval ::view {
    action define save_session "Keep bookmarks, marks and filters now" {} {} {
        session save
    }
}
