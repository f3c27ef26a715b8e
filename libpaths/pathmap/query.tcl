# query.tcl --
#
#   Queries about the contents of a path map.
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
#   Returns all names of one sort, or the options of one statement.
#
# Arguments:
#   verb    host, process, thread, element, stage or path
#   map     the map
#   name    name of one statement, optional; a path's is THREAD/ELEMENT
#
# Results:
#   Without name, all names in the order of the map.  With name, a dictionary
#   of the statement's options.  A stage also has "kind"; a path also has
#   "thread", "element" and "chain".  Throws {EVENTSPACE PATHMAP NAME}.

proc ::pathmap::query::things {verb map args} {
    set index [::pathmap::chain index $map]
    if {![llength $args]} {
        return [dict keys [dict get $index $verb]]
    }
    lassign $args name
    set words [::pathmap::chain lookup $index $verb $name]
    switch -- $verb {
        stage { set fields [list kind [lindex $words 2]] }
        path {
            set fields [list thread [lindex $words 1] \
                element [lindex $words 2] chain [lindex $words 3]]
        }
        default { set fields {} }
    }
    return [dict merge $fields [::pathmap::line given $words]]
}

# route --
#
#   Returns all items that an operation of a path passes, from the thread to
#   the element, through the tails of shared stages.
#
# Arguments:
#   map     the map
#   path    THREAD/ELEMENT
#
# Results:
#   A list of {PROCESS ITEM CHAIN}: the item, its process, and the name of
#   its chain.

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
