# reach.tcl --
#
#   The proxies of a map: each chain must lead to the process of its last
#   item, and each process that proxies lead to must listen.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require pathmap::line
package require pathmap::text
package require pathmap::chain

namespace eval ::pathmap::reach {
    namespace export proxies listen
    namespace ensemble create
}
package provide pathmap::reach 0.1

# proxies --
#
#   Adapts the proxies of all chains to the processes of threads, stages and
#   elements.  The last proxy of a chain is redirected to the process of the
#   last item; a proxy to the process the chain is already in is removed; a
#   missing proxy is inserted before the last item.  A collector stays on each
#   side of a proxy.
#
# Arguments:
#   map     the map, after processes of some things were changed
#   via     -via of new proxies; empty: as all other proxies of the map
#
# Results:
#   The changed map; each process that must listen on TCP has -listen.

proc ::pathmap::reach::proxies {map {via {}}} {
    if {$via eq ""} {
        set via [CommonVia $map]
    }
    set index [::pathmap::chain index $map]
    return [listen [::pathmap::chain edit $map \
        [list [namespace current]::FitProxies $index $via]]]
}

# Returns the -via of all proxies of a map; auto when they differ.
proc ::pathmap::reach::CommonVia {map} {
    set all {}
    foreach hop [Hops $map] {
        lappend all [lindex $hop 2]
    }
    set all [lsort -unique $all]
    if {[llength $all] == 1} {
        return [lindex $all 0]
    }
    return auto
}

# Returns all hops from process to process: a list of {FROM TO VIA}.
proc ::pathmap::reach::Hops {map} {
    set hops {}
    foreach chain [::pathmap::chain all $map] {
        lassign $chain - from items
        lappend hops {*}[ChainHops $from $items]
    }
    return $hops
}

# Returns the hops of a chain, and of the second chains of its stages.
proc ::pathmap::reach::ChainHops {from items} {
    set hops {}
    foreach item $items {
        if {[lindex $item 0] eq "proxy"} {
            set to [lindex $item 1]
            lappend hops [list $from $to [ViaOf $item]]
            set from $to
        }
        foreach side [::pathmap::chain sides $item] {
            lappend hops {*}[ChainHops $from $side]
        }
    }
    return $hops
}

proc ::pathmap::reach::ViaOf {proxy} {
    if {[dict exists [lrange $proxy 2 end] -via]} {
        return [dict get [lrange $proxy 2 end] -via]
    }
    return auto
}

# Adapts the proxies of one chain.
proc ::pathmap::reach::FitProxies {index via context steps} {
    set to [EndProcess $index [::pathmap::chain value [lindex $steps end]]]
    set here [dict get $context process]
    set proxies [Proxies $steps]
    if {![llength $proxies]} {
        if {$to in [list {} $here]} {
            return $steps
        }
        return [AddProxy $index $steps $here $to $via]
    }
    if {$to ne ""} {
        set steps [SetTarget $steps [lindex $proxies end] $to]
    }
    set hops {}
    foreach at $proxies {
        set there [lindex [::pathmap::chain value [lindex $steps $at]] 1]
        lappend hops $there $here $at
        set here $there
    }
    # From the last to the first, so that removals leave indices valid.
    foreach {at here there} [lreverse $hops] {
        if {$here eq $there} {
            set steps [DropProxy $steps $at]
        } else {
            set steps [FitVia $index $steps $at $here]
        }
    }
    return $steps
}

# Returns the indices of the proxies of a chain.
proc ::pathmap::reach::Proxies {steps} {
    set found {}
    set i -1
    foreach step $steps {
        incr i
        if {[lindex [::pathmap::chain value $step] 0] eq "proxy"} {
            lappend found $i
        }
    }
    return $found
}

# Returns the process of the last item of a chain; empty when the item has no
# process of its own.
proc ::pathmap::reach::EndProcess {index item} {
    set stage [::pathmap::chain shared $index $item]
    if {$stage ne ""} {
        return [::pathmap::line option \
            [::pathmap::chain lookup $index stage $stage] -process]
    }
    if {[lindex $item 0] eq "element"} {
        return [::pathmap::line option \
            [::pathmap::chain lookup $index element [lindex $item 1]] \
            -process]
    }
    return {}
}

# Redirects a proxy to another process.
proc ::pathmap::reach::SetTarget {steps at to} {
    set item [::pathmap::chain value [lindex $steps $at]]
    if {[lindex $item 1] ne $to} {
        lset item 1 $to
        lset steps $at [::pathmap::chain step $item [lindex $steps $at 0]]
    }
    return $steps
}

# Removes "-via shm" and "-via unix" from a proxy that leads to another host.
proc ::pathmap::reach::FitVia {index steps at here} {
    set item [::pathmap::chain value [lindex $steps $at]]
    if {[ViaOf $item] in {shm unix}
        && ![SameHost $index $here [lindex $item 1]]} {
        set item [list {*}[lrange $item 0 1] \
            {*}[dict remove [lrange $item 2 end] -via]]
        lset steps $at [::pathmap::chain step $item [lindex $steps $at 0]]
    }
    return $steps
}

# Inserts a proxy before the last item.  When a collector is before the proxy,
# also inserts one after it.
proc ::pathmap::reach::AddProxy {index steps here to via} {
    set end [expr {[llength $steps] - 1}]
    set before [::pathmap::chain value [lindex $steps $end-1]]
    if {[lindex $before 0] eq "collector"} {
        set steps [::pathmap::chain inject $steps $end $before]
    }
    set proxy [list proxy $to]
    if {$via ne "auto"
        && ($via eq "tcp" || [SameHost $index $here $to])} {
        lappend proxy -via $via
    }
    return [::pathmap::chain inject $steps $end $proxy]
}

# Removes a proxy, and the second of two collectors that are then adjacent.
proc ::pathmap::reach::DropProxy {steps at} {
    set steps [::pathmap::chain take $steps $at]
    foreach i [list [expr {$at - 1}] $at] {
        if {[lindex [::pathmap::chain value [lindex $steps $i]] 0]
            ne "collector"} {
            return $steps
        }
    }
    return [::pathmap::chain take $steps $at]
}

proc ::pathmap::reach::SameHost {index a b} {
    foreach process [list $a $b] {
        lappend hosts [::pathmap::line option \
            [::pathmap::chain lookup $index process $process] -host]
    }
    return [expr {[lindex $hosts 0] eq [lindex $hosts 1]}]
}

# listen --
#
#   Adds "-listen tcp:0" to each process that proxies reach over TCP; the
#   launcher chooses the port.  The other transports need no -listen: every
#   process has a socket in the run directory.
#
# Results:
#   The changed map; a process that already listens on TCP is not changed.

proc ::pathmap::reach::listen {map} {
    set index [::pathmap::chain index $map]
    set targets {}
    foreach hop [Hops $map] {
        lassign $hop from to via
        if {$via eq "tcp" || ![SameHost $index $from $to]} {
            dict set targets $to {}
        }
    }
    foreach process [dict keys $targets] {
        set words [::pathmap::chain lookup $index process $process]
        set listen [::pathmap::line option $words -listen]
        if {[lsearch -glob $listen tcp:*] < 0} {
            set map [::pathmap::text change $map process $process \
                -listen [linsert $listen end tcp:0]]
        }
    }
    return $map
}
