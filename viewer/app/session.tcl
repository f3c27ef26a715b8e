# session.tcl --
#
#   The session of a run: bookmarks, marks, queries, filters, folds and the
#   window, saved for the next time the run is viewed.
#
#   The session is a file in the folder of the database, or below
#   XDG_STATE_HOME when that folder cannot be written.  It is written under a
#   temporary name and renamed, so a crash leaves the old or the new session.
#   Nothing in it is evaluated.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require view::action
package require view::classes
package require view::part
package require view::rows
package require view::run
package require view::state
package require view::theme

namespace eval ::view::session {
    namespace path ::view
    namespace export load save of file_of begin text parse
    namespace ensemble create

    variable Head "eventspace-session 1"
    # Keys of the state whose values are saved unchanged.
    variable Plain {t0 span marks bookmarks queries filters sort arrows critical
        delays theme colour unseen part}
    # Keys that hold lists of rows.  Rows are saved as {kind id}, because their
    # numbers may differ the next time.
    variable RowLists {folded hidden pinned}
    # Nothing is written before the session has been read.
    variable Ready 0
    # Timer of the next save.
    variable Timer {}
    # The run, if its database is a temporary file.
    variable Run {}
}
package provide view::session 0.1

# of --
#
#   Sets the run whose session it is, if the database is a temporary file.
#
# Arguments:
#   dir     folder of the run; empty if the database stays

proc ::view::session::of {dir} {
    variable Run $dir
}

# file_of --
#
#   Returns the path of the run's session.

proc ::view::session::file_of {} {
    variable Run

    if {$Run ne ""} {
        set database [file join [file normalize $Run] view.db]
    } else {
        set database [file normalize [[run main] get file]]
    }
    set folder [file dirname $database]
    if {[Writable $folder]} {
        return [file join $folder [file tail $database].session]
    }
    if {[info exists ::env(XDG_STATE_HOME)] && $::env(XDG_STATE_HOME) ne ""} {
        set home $::env(XDG_STATE_HOME)
    } else {
        set home [file join $::env(HOME) .local state]
    }
    # The name is made from the path of the database, so each run has its own.
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
#   [text] formats a session, [parse] parses it: a first line that names the
#   format, then one line for each key, a Tcl list {KEY VALUE}.
#
# Results:
#   [text] returns the text, [parse] a dictionary.  [parse] throws {EVENTSPACE
#   VIEW SESSION}.

proc ::view::session::text {session} {
    variable Head

    set lines [list $Head]
    dict for {key value} $session {
        # A newline in a value is written as a backslash and n.
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
            throw {EVENTSPACE VIEW SESSION} \
                "line \"$line\": expected a key and a value"
        }
        lassign $line key value
        set value [string map {\\\\ \\ \\n \n} $value]
        Check $key $value
        dict set session $key $value
    }
    return $session
}

# Throws unless a value is valid for its key.
proc ::view::session::Check {key value} {
    set good 1
    switch -- $key {
        t0 - span { set good [string is double -strict $value] }
        arrows - critical - delays { set good [string is boolean -strict $value] }
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
        colour { set good [expr {$value in [classes names]}] }
        part { set good [expr {$value in [part names]}] }
        unseen { set good [string is list $value] }
        geometry { set good [regexp {^\d+x\d+([-+]-?\d+){2}$} $value] }
    }
    if {!$good} {
        throw {EVENTSPACE VIEW SESSION} "its $key cannot be \"$value\""
    }
}

# Returns true if a value is a list of lists of `count` elements, of which the
# first `numbers` are numbers.
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

# Returns the session to save.
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
#   Writes the session.  A failure is shown in the status bar.

proc ::view::session::save {} {
    variable Ready
    variable Timer

    after cancel $Timer
    set Timer {}
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
        state put message "the session is not saved: $why"
        if {[info exists temporary]} {
            file delete $temporary
        }
    }
}

# load --
#
#   Reads the session if there is one.
#
# Arguments:
#   options     keys that the command line has set; the session does not set
#               them

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
        state put message "the session is ignored: $path: $why"
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
        if {$key eq "unseen"} {
            # The run may have other classes now.
            set value [lmap class $value {
                if {$class ni [classes words]} continue
                set class
            }]
        }
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
#   Saves the session a second after each change from now on.

proc ::view::session::begin {} {
    variable Plain
    variable RowLists

    state watch [concat $Plain $RowLists] [namespace code SaveLater] .
}

proc ::view::session::SaveLater {args} {
    variable Timer
    after cancel $Timer
    set Timer [after 1000 [namespace code save]]
}

namespace eval ::view {
    action define save_session "Save the session now" {} {} {
        session save
    }
}
