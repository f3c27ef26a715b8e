# marks.tcl --
#
#   Actions for marks (ranges of time) and bookmarks (windows of time).
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require view::action
package require view::ns
package require view::state
package require view::window

namespace eval ::view {
    action define mark "Mark the selected range" {m} {{label {}}} {
        set selection [state get selection]
        if {![llength $selection]} {
            state put message "nothing is selected; drag over the timeline to\
                select a range to mark"
            return
        }
        lassign $selection begin end
        if {$label eq ""} {
            set label "mark [expr {[llength [state get marks]] + 1}]"
        }
        state put marks [concat [state get marks] \
            [list [list $begin $end $label]]] \
            message "$label: [ns text [expr {$end - $begin}]]"
    }
    action define unmark "Remove a mark" {} {{index end}} {
        state put marks [lreplace [state get marks] $index $index]
    }
    action define go_mark "Go to a mark" {} {{index 0}} {
        lassign [lindex [state get marks] $index] begin end
        if {$begin ne ""} {
            state put selection [list $begin $end]
            window around $begin $end
        }
    }
    action define bookmark "Bookmark this window" {b} {{label {}}} {
        set cursor [state get cursor]
        set ns [expr {$cursor eq "" ? [ns middle [state get t0] \
            [state get span]] : $cursor}]
        if {$label eq ""} {
            set label "bookmark [expr {[llength [state get bookmarks]] + 1}]"
        }
        state put bookmarks [concat [state get bookmarks] \
            [list [list $ns [state get span] $label [state get t0]]]] \
            message "$label: at [ns text $ns]"
    }
    action define unbookmark "Remove a bookmark" {} {{index end}} {
        state put bookmarks [lreplace [state get bookmarks] $index $index]
    }
    action define go_bookmark "Go to a bookmark" {B} {{index {}}} {
        set count [llength [state get bookmarks]]
        if {!$count} {
            state put message "there are no bookmarks; press b to add one"
            return
        }
        if {$index eq ""} {
            set index [expr {[marks next] % $count}]
        }
        lassign [lindex [state get bookmarks] $index] ns span label t0
        window show $t0 $span
        state put cursor $ns message $label
    }
}

namespace eval ::view::marks {
    namespace export next
    namespace ensemble create
    # Number that [next] returned last.
    variable Next -1
}
package provide view::marks 0.1

# next --
#
#   Returns 0, 1, 2 and so on.  The caller takes the remainder by the number of
#   bookmarks.

proc ::view::marks::next {} {
    variable Next
    return [incr Next]
}
