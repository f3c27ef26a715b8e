# classes.tcl --
#
#   The legend of the timeline: the classes of time with their colours, which a
#   click hides or shows, and the meaning of colours.
#
# SPDX-License-Identifier: MIT

package require Tk 8.6
package require view::action
package require view::ns
package require view::run
package require view::state
package require view::theme

namespace eval ::view::classes {
    namespace path ::view
    namespace export create renew all next names toggle measured
    namespace ensemble create

    # The meanings of colours, in the order of the key, and how they are called.
    variable Meanings {
        group "colours: groups" function "colours: functions"
        wait "colours: waiting" share "greys: communication"
    }
}
package provide view::classes 0.1

# create --
#
#   Creates the legend.
#
# Arguments:
#   frame   path of the widget

proc ::view::classes::create {frame} {
    ttk::frame $frame -padding [list [theme px 4] 0]
    foreach line {0 1 2} {
        pack [ttk::frame $frame.line$line] -side top -fill x
    }
    ttk::button $frame.colour -style Toolbutton -takefocus 0 \
        -command ::action::colour
    Fill $frame
    ttk::label $frame.note -style Dim.TLabel
    bind $frame <Configure> [namespace code [list Flow $frame]]
    state watch {theme colour unseen t0 span} [namespace code [list Paint \
        $frame]] $frame
    Paint $frame
    return $frame
}

# renew --
#
#   Shows the classes of the run that was opened again.

proc ::view::classes::renew {frame} {
    foreach child [winfo children $frame] {
        if {[regexp {^[st]\d+$|^waits$} [winfo name $child]]} {
            destroy $child
        }
    }
    Fill $frame
    Paint $frame
}

# all --
#
#   Returns the names of the classes of the run, waiting first.

proc ::view::classes::all {} {
    return [lmap pair [[run main] get classes] { lindex $pair 0 }]
}

# Creates the entries of all classes.
proc ::view::classes::Fill {frame} {
    set n -1
    foreach class [list computation {*}[all]] {
        Entry $frame [incr n] $class
    }
    if {![[run main] get waits]} {
        ttk::label $frame.waits -style Dim.TLabel \
            -text "waiting: not computed yet"
    }
}

# Creates the entry of a class.
proc ::view::classes::Entry {frame n class} {
    ::frame $frame.s$n -width [theme px 12] -height [theme px 12]
    ttk::label $frame.t$n -text $class
    if {$class ne "computation"} {
        foreach widget {s t} {
            bind $frame.$widget$n <Button-1> \
                [list ::action::hide_class $class]
        }
    }
}

# Breaks the legend into lines that fit its width.
proc ::view::classes::Flow {frame} {
    set parts [list [list $frame.colour]]
    for {set n 0} {[winfo exists $frame.s$n]} {incr n} {
        lappend parts [list $frame.s$n $frame.t$n]
    }
    foreach name {waits note} {
        if {[winfo exists $frame.$name]} {
            lappend parts [list $frame.$name]
        }
    }
    set room [expr {[winfo width $frame] - [theme px 8]}]
    set gap [theme px 3]
    set line 0
    set x 0
    foreach part $parts {
        set width [::tcl::mathop::+ {*}[lmap widget $part {
            expr {[winfo reqwidth $widget] + 2 * $gap}
        }]]
        if {$x > 0 && $x + $width > $room && $line < 2} {
            incr line
            set x 0
        }
        incr x $width
        foreach widget $part {
            pack $widget -in $frame.line$line -side left -padx $gap
        }
    }
    # An empty line takes no height.
    for {incr line} {$line <= 2} {incr line} {
        $frame.line$line configure -height 1
    }
}

# Updates colours and texts of the legend.
proc ::view::classes::Paint {frame args} {
    variable Meanings

    $frame.colour configure -text [dict get $Meanings [state get colour]]
    $frame.s0 configure -background [theme colour computation]
    set n 0
    foreach pair [[run main] get classes] {
        lassign $pair class colour
        incr n
        set shown [expr {$class ni [state get unseen]}]
        $frame.s$n configure -background [expr {$shown
            ? [Colour $class $colour] : [theme colour computation]}]
        $frame.t$n configure -style [expr {$shown ? "TLabel"
            : "Dim.TLabel"}] -text [expr {$shown ? $class : "($class)"}]
    }
    $frame.note configure -text [expr {[IsMeasured]
        ? "MPI_Init and the end of MPI_Finalize are outside" : ""}]
    Flow $frame
}

# Returns the colour that a class is drawn in.
proc ::view::classes::Colour {class colour} {
    set by [state get colour]
    if {$by eq "share" || ($by eq "wait" && $class ne "waiting")} {
        return [theme colour communication]
    }
    return $colour
}

# measured --
#
#   Returns {t0 span}, the measured interval of the main run.

proc ::view::classes::measured {} {
    lassign [[run main] get measured] from to
    return [list [expr {double($from)}] [expr {double($to - $from)}]]
}

# Returns true if the measured interval is shown, and is not the whole run.
proc ::view::classes::IsMeasured {} {
    lassign [measured] t0 span
    return [expr {[state get t0] == $t0 && [state get span] == $span
        && $span < [state get whole]}]
}

# next --
#
#   Returns the meaning of colours after another one.

proc ::view::classes::next {meaning} {
    variable Meanings
    set names [dict keys $Meanings]
    return [lindex $names [expr {([lsearch $names $meaning] + 1)
        % [llength $names]}]]
}

# names --
#
#   Returns the meanings that colours can have.

proc ::view::classes::names {} {
    variable Meanings
    return [dict keys $Meanings]
}

# toggle --
#
#   Returns a list with an element added, or removed if it has it.

proc ::view::classes::toggle {list element} {
    set at [lsearch -exact $list $element]
    return [expr {$at < 0 ? [linsert $list end $element]
        : [lreplace $list $at $at]}]
}

namespace eval ::view {
    action define colour "Colour by group, function, waiting or nothing" {C} \
        {{by {}}} {
        if {$by eq ""} {
            set by [classes next [state get colour]]
        }
        if {$by ni [classes names]} {
            throw {EVENTSPACE VIEW COLOUR} "no colour \"$by\":\
                [join [classes names] {, }]"
        }
        state put colour $by
    }
    action define hide_class "Hide or show a class of the legend" {} \
        {{class {}}} {
        if {$class eq ""} {
            palette ask "Hide or show: [join [classes all] {, }]" {} \
                ::action::hide_class
            return
        }
        if {$class ni [classes all]} {
            throw {EVENTSPACE VIEW CLASS} "no class \"$class\":\
                [join [classes all] {, }]"
        }
        state put unseen [classes toggle [state get unseen] $class]
    }
    # The keys 4 to 9 hide and show the classes in the order of the legend.
    for {set n 4} {$n <= 9} {incr n} {
        action define class_$n "Hide or show class [expr {$n - 3}] of the\
            legend" $n {} [list ClassAt [expr {$n - 4}]]
    }
    proc ClassAt {n} {
        if {$n < [llength [classes all]]} {
            ::action::hide_class [lindex [classes all] $n]
        }
    }
}
