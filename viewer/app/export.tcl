# export.tcl --
#
#   Writes files: the timeline or the chart as PNG, SVG or PDF, the table as
#   CSV.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require view::action
package require view::ns
package require view::rows
package require view::run
package require view::state
package require view::theme

namespace eval ::view::export {
    namespace path ::view
    namespace export picture table program
    namespace ensemble create
}
package provide view::export 0.1

# picture --
#
#   Writes the timeline or a chart as it is shown.
#
# Arguments:
#   what    timeline, or the name of a chart
#   file    name of the file; its suffix gives the format
#
# Results:
#   None.  Throws {EVENTSPACE VIEW EXPORT}.

proc ::view::export::picture {what file} {
    switch -- [string tolower [file extension $file]] {
        .png - .svg - .pdf { Batch $what $file }
        default {
            throw {EVENTSPACE VIEW EXPORT} "$file: expected the suffix .png,\
                .svg, .pdf or .csv"
        }
    }
}

# table --
#
#   Writes the table that is shown as CSV.

proc ::view::export::table {file} {
    Write $file [tables csv [frame table]]
}

proc ::view::export::Write {file text} {
    try {
        set channel [open $file w]
        chan configure $channel -encoding utf-8
        puts -nonewline $channel $text
        close $channel
    } on error why {
        throw {EVENTSPACE VIEW EXPORT} $why
    }
}

# Lets `eventspace view --batch` draw the same figure as the one on the screen.
proc ::view::export::Batch {what file} {
    set canvas [expr {$what eq "timeline" ? [timeline surface]
        : [charts surface]}]
    set scale [theme scale]
    set t0 [state get t0]
    set command [list {*}[program view] --batch $what -o [file normalize $file] \
        --from [format %.0fns $t0] \
        --to [format %.0fns [ns at $t0 [state get span] 1 1]] \
        --theme [state get theme] --scale $scale --size [Size \
        [expr {[winfo width $canvas] / $scale}] \
        [expr {[winfo height $canvas] / $scale}]]]
    lappend command {*}[Rows] {*}[Highlight] --colour [state get colour]
    if {$what eq "flame"} {
        lappend command {*}[Call]
    }
    if {$what eq "timeline"} {
        lappend command {*}[Causes]
    }
    if {[llength [state get unseen]]} {
        lappend command --hide [join [state get unseen] ,]
    }
    if {$what ne "timeline" && [set level [charts level $what]] ne ""} {
        lappend command --level $level
    }
    if {$what ne "timeline" && [state get measure] ne ""} {
        lappend command --measure [state get measure]
    }
    lappend command [[run main] get file]
    if {[catch {exec -ignorestderr {*}$command 2>@1} output]} {
        throw {EVENTSPACE VIEW EXPORT} [lindex [split $output \n] 0]
    }
}

proc ::view::export::Size {width height} {
    return [format %.0fx%.0f [expr {max(40, $width)}] \
        [expr {max(40, $height)}]]
}

# Returns the option --rows with the rows that are shown; empty when all are.
proc ::view::export::Rows {} {
    set shown [state get shown]
    if {[llength $shown] == [llength [rows all]]} {
        return {}
    }
    return [list --rows [join [lmap row $shown {
        dict get [rows get $row] name
    }] ,]]
}

proc ::view::export::Highlight {} {
    lassign [state get thing] kind id
    switch -- $kind {
        thread - process - host - stage - element {
            return [list --highlight $kind=[run name $kind $id]]
        }
        step { return [list --highlight step=$id] }
    }
    return {}
}

# Returns the options for delays and the critical path, if they are shown.
proc ::view::export::Causes {} {
    set options {}
    if {[state get critical] && [run has critical_hop]} {
        lappend options --critical-path
    }
    if {[state get delays]} {
        lappend options --delays
    }
    return $options
}

# Returns the option --subject with the call that is chosen, if it is of the tree
# that is shown: nodes of the tree of callers have negative numbers.
proc ::view::export::Call {} {
    lassign [state get thing] kind id
    if {$kind eq "call" && ($id < 0) == ([state get measure] eq "callers")} {
        return [list --subject call=[expr {abs($id)}]]
    }
    return {}
}

# program --
#
#   Returns the command `eventspace VERB`: the one in EVENTSPACE_EXEC_PATH, or
#   the installed one.

proc ::view::export::program {verb} {
    if {[info exists ::env(EVENTSPACE_EXEC_PATH)]} {
        foreach folder [split $::env(EVENTSPACE_EXEC_PATH) :] {
            set program [file join $folder eventspace-$verb]
            if {[file executable $program]} {
                return [list $program]
            }
        }
    }
    set eventspace [auto_execok eventspace]
    if {$eventspace eq ""} {
        throw {EVENTSPACE VIEW EXPORT} \
            "eventspace: not found; it is needed for this"
    }
    return [list {*}$eventspace $verb]
}

namespace eval ::view {
    action define export "Export what is shown" {Control-e} \
        {{file {}} {what {}}} {
        if {$file eq ""} {
            palette ask "Export the timeline (timeline.svg), the chart\
                (chart.svg) or the table (table.csv) to" \
                [file join [pwd] timeline.svg] ::action::export
            return
        }
        if {$what eq ""} {
            set what [expr {[string match -nocase chart* [file tail $file]]
                ? [state get chart] : "timeline"}]
        }
        if {[string tolower [file extension $file]] eq ".csv"} {
            export table $file
        } else {
            export picture $what $file
        }
        state put message "written: $file"
    }
}
