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
    namespace export create renew all words next names toggle measured
    namespace ensemble create

    # The meanings of colours, in the order of the key, and how they are called.
    variable Meanings {
        group "colours: groups" function "colours: functions"
        wait "colours: waiting" share "greys: communication"
        site "colours: call sites" communicator "colours: communicators"
        peer "colours: peers" bytes "colours: bytes" step "colours: steps"
    }
    # Colour of time without a core, as ESV_ROLE_NO_CORE.
    variable NoCore #f0e442
    # The meaning whose classes the legend has.
    variable Listed {}
}
package provide view::classes 0.1

# create --
#
#   Creates the legend.
#
# Arguments:
#   frame   path of the widget

proc ::view::classes::create {frame} {
    variable Meanings

    ttk::frame $frame -padding [list [theme px 4] 0]
    foreach line {0 1 2} {
        pack [ttk::frame $frame.line$line] -side top -fill x
    }
    ttk::menubutton $frame.colour -takefocus 0 -menu $frame.colour.menu
    menu $frame.colour.menu -tearoff 0
    dict for {by text} $Meanings {
        $frame.colour.menu add command -label $text \
            -command [list ::action::colour $by]
    }
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
        if {[regexp {^[st]\d+$|^unknown$} [winfo name $child]]} {
            destroy $child
        }
    }
    Fill $frame
    Paint $frame
}

# all --
#
#   Returns the words of the classes that the legend has, waiting first.

proc ::view::classes::all {} {
    return [lmap entry [List] { lindex $entry 0 }]
}

# words --
#
#   Returns the words of all classes that can be hidden, of all colours.

proc ::view::classes::words {} {
    set words [lmap pair [[run main] get classes] { lindex $pair 0 }]
    if {[[run main] get gaps]} {
        lappend words no-core
    }
    foreach colour [names] {
        lappend words {*}[lmap entry [[run main] tints $colour] {
            lindex $entry 0
        }]
    }
    return $words
}

# Returns a list of {word colour text} of the classes of the colour shown.
proc ::view::classes::List {} {
    if {[IsTinted]} {
        set list [[run main] tints [state get colour]]
    } else {
        set list [lmap pair [[run main] get classes] {
            list {*}$pair [lindex $pair 0]
        }]
    }
    if {[[run main] get gaps] && [state get colour] ne "share"} {
        lappend list [list no-core $::view::classes::NoCore "without a core"]
    }
    return $list
}

# Returns true if colours show call sites, communicators, peers, bytes or steps.
proc ::view::classes::IsTinted {} {
    return [expr {[state get colour] ni {group function wait share}}]
}

# Creates the entries of all classes.
proc ::view::classes::Fill {frame} {
    variable Listed

    set Listed [state get colour]
    set n -1
    foreach entry [list {computation {} computation} {*}[List]] {
        Entry $frame [incr n] [lindex $entry 0] [lindex $entry 2]
    }
    set unknown ""
    if {[IsTinted] && ![[run main] get tinted]} {
        set unknown "colours: not computed yet"
    } elseif {![IsTinted] && ![[run main] get waits]} {
        set unknown "waiting: not computed yet"
    }
    if {$unknown ne ""} {
        ttk::label $frame.unknown -style Dim.TLabel -text $unknown
    }
}

# Creates the entry of a class.
proc ::view::classes::Entry {frame n class text} {
    ::frame $frame.s$n -width [theme px 12] -height [theme px 12]
    ttk::label $frame.t$n -text $text
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
    foreach name {unknown note} {
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
    variable Listed

    if {[state get colour] ne $Listed} {
        tailcall renew $frame
    }
    $frame.colour configure -text [dict get $Meanings [state get colour]]
    $frame.s0 configure -background [theme colour computation]
    set n 0
    foreach entry [List] {
        lassign $entry class colour text
        incr n
        set shown [expr {$class ni [state get unseen]}]
        $frame.s$n configure -background [expr {$shown
            ? [Colour $class $colour] : [theme colour computation]}]
        $frame.t$n configure -style [expr {$shown ? "TLabel"
            : "Dim.TLabel"}] -text [expr {$shown ? $text : "($text)"}]
    }
    $frame.note configure -text [Outside]
    Flow $frame
}

# Returns the colour that a class is drawn in.
proc ::view::classes::Colour {class colour} {
    set by [state get colour]
    if {$class eq "no-core"} {
        return $colour
    }
    if {$by eq "share" || ($by eq "wait" && $class ne "waiting")} {
        return [theme colour communication]
    }
    return $colour
}

# measured --
#
#   Returns {t0 span}, the measured interval of the main run; up to the end of
#   the run if a rank did not call MPI_Finalize.

proc ::view::classes::measured {} {
    lassign [[run main] get measured] from to
    return [list [expr {double($from)}] [expr {double($to - $from)}]]
}

# Returns the words about what is outside of the measured interval, if that is
# shown and is not the whole run.
proc ::view::classes::Outside {} {
    lassign [measured] t0 span
    if {[state get t0] != $t0 || [state get span] != $span
            || $span >= [state get whole]} {
        return ""
    }
    return [expr {[lindex [[run main] get measured] 2]
        ? "MPI_Init is outside"
        : "MPI_Init and the end of MPI_Finalize are outside"}]
}

# next --
#
#   Returns the meaning of colours after another one, or before it (-1).

proc ::view::classes::next {meaning {by 1}} {
    variable Meanings
    set names [dict keys $Meanings]
    return [lindex $names [expr {([lsearch $names $meaning] + $by)
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
    action define colour "Colour by group, function, waiting, nothing, call\
        site, communicator, peer, bytes or step" {C} {{by {}}} {
        if {$by eq ""} {
            set by [classes next [state get colour]]
        }
        if {$by ni [classes names]} {
            throw {EVENTSPACE VIEW COLOUR} "no colour \"$by\":\
                [join [classes names] {, }]"
        }
        state put colour $by
    }
    action define colour_back "Colour as before the last C" \
        {Control-Shift-c} {} {
        state put colour [classes next [state get colour] -1]
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
