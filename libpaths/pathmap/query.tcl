# query.tcl --
#
#   What is in a path map.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require pathmap::line
package require pathmap::chain

namespace eval ::pathmap::query {
    namespace export things route
    namespace ensemble create
}
package provide pathmap::query 0.1

# things --
#
#   The statements of one sort.
#
# Arguments:
#   verb    host, process, thread, element, stage or path
#   map     the map
#   name    one of them; a path is THREAD/ELEMENT
#
# Results:
#   Without name, all names in the order of the map.  With name, what the
#   statement says: a dictionary of its options; of a stage also "kind", of a
#   path "thread", "element" and "chain".  Throws {EVENTSPACE PATHMAP NAME}.

proc ::pathmap::query::things {verb map args} {
    set index [::pathmap::chain index $map]
    if {![llength $args]} {
        return [dict keys [dict get $index $verb]]
    }
    lassign $args name
    set words [::pathmap::chain lookup $index $verb $name]
    switch -- $verb {
        stage { set said [list kind [lindex $words 2]] }
        path {
            set said [list thread [lindex $words 1] \
                element [lindex $words 2] chain [lindex $words 3]]
        }
        default { set said {} }
    }
    dict for {option value} [::pathmap::line given $words] {
        dict set said $option $value
    }
    return $said
}

# route --
#
#   What an operation of a path comes by, tails included.
#
# Arguments:
#   map     the map
#   path    THREAD/ELEMENT
#
# Results:
#   A list of {PROCESS ITEM CHAIN}: the process where the item is, and the
#   name of the chain that it is on.

proc ::pathmap::query::route {map path} {
    set index [::pathmap::chain index $map]
    ::pathmap::chain lookup $index path $path
    set route {}
    set chains {}
    foreach chain [::pathmap::chain all $map] {
        dict set chains [lindex $chain 0] [lrange $chain 1 2]
    }
    while {[dict exists $chains $path]} {
        lassign [dict get $chains $path] process items
        dict unset chains $path
        foreach item $items {
            lappend route [list $process $item $path]
            if {[lindex $item 0] eq "proxy"} {
                set process [lindex $item 1]
            }
        }
        set path [::pathmap::chain shared $index [lindex $items end]]
    }
    return $route
}
