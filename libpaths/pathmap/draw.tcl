# draw.tcl --
#
#   Draws a path map as a graph for Graphviz.
#
#   Hosts contain processes; processes contain threads, stages and elements;
#   chains are edges between them.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
package require pathmap::errors
package require pathmap::line
package require pathmap::chain

namespace eval ::pathmap::draw {
    namespace export draw
    namespace import ::pathmap::errors::*

    # Graphviz attributes of each kind; other kinds are boxes.
    variable Attributes {
        thread    {shape=ellipse}
        element   {shape=cylinder}
        proxy     {shape=cds}
        collector {shape=circle,width=0.3,fixedsize=true,fontsize=8}
        null      {shape=point}
        reduce    {shape=invtrapezium}
        gather    {shape=invtrapezium}
        allgather {shape=invtrapezium}
        barrier   {shape=invtrapezium}
        scatter   {shape=invtrapezium}
        broadcast {shape=invtrapezium}
        merge     {shape=trapezium}
    }
}
package provide pathmap::draw 0.1

# draw --
#
#   Draws a map.
#
# Arguments:
#   map     the map
#   -format F         dot (text), svg, png or pdf; default dot
#   -collectors BOOL  draw collectors; default yes
#
# Results:
#   Text in Graphviz's language, or the bytes of a picture made by dot.  The
#   label of an edge is the element at the head of a path, the transport after
#   a proxy, and the number of the input before a shared stage.  Throws
#   {EVENTSPACE PATHMAP FILE} when dot cannot be run.

proc ::pathmap::draw::draw {map args} {
    set o [options {-format dot -collectors yes} $args]
    if {[dict get $o -format] ni {dot svg png pdf}} {
        fail USAGE "-format [dict get $o -format]:\
            expected dot, svg, png or pdf"
    }
    if {![string is boolean -strict [dict get $o -collectors]]} {
        fail USAGE "-collectors [dict get $o -collectors]:\
            expected yes or no"
    }
    set text [Graph $map [dict get $o -collectors]]
    if {[dict get $o -format] eq "dot"} {
        return $text
    }
    return [Render $text [dict get $o -format]]
}

proc ::pathmap::draw::Render {text format} {
    if {[auto_execok dot] eq ""} {
        fail FILE "dot: not found; it is in the package graphviz"
    }
    try {
        set dot [open |[list dot -T$format 2>@stderr] r+b]
        puts -nonewline $dot $text
        close $dot write
        set picture [::read $dot]
        close $dot
    } on error {message options} {
        fail FILE "dot -T$format: $message"
    }
    return $picture
}

# Returns the whole graph in Graphviz's language.
proc ::pathmap::draw::Graph {map collectors} {
    set index [::pathmap::chain index $map]
    set graph [dict create index $index nodes {} edges {} inputs {} \
        collectors $collectors]
    foreach word {thread element stage} {
        dict for {name words} [dict get $index $word] {
            set kind $word
            if {$word eq "stage"} {
                set kind [lindex $words 2]
            }
            Node graph [::pathmap::line option $words -process] $word:$name \
                $kind [Label $kind $name $words]
        }
    }
    foreach chain [::pathmap::chain all $map] {
        lassign $chain name process items
        if {[dict exists $index stage $name]} {
            Chain graph $name stage:$name $process $items
        } else {
            Chain graph $name thread:[regsub {/.*} $name {}] $process $items
        }
    }
    return [Text $graph]
}

# Returns the label of a thread, an element or a shared stage.
proc ::pathmap::draw::Label {kind name words} {
    switch -- $kind {
        thread {
            set core [::pathmap::line option $words -core]
            if {$core ne ""} {
                append name "\ncore $core"
            }
            return $name
        }
        element { return "$name\n[::pathmap::line option $words -type]" }
        reduce { return "$name\n[::pathmap::line option $words -op]" }
    }
    return "$name\n$kind"
}

proc ::pathmap::draw::Node {graphVar process id kind label} {
    upvar 1 $graphVar graph
    variable Attributes
    set attributes shape=box
    if {[dict exists $Attributes $kind]} {
        set attributes [dict get $Attributes $kind]
    }
    dict lappend graph nodes [list $process \
        "[Quote $id] \[label=[Quote $label],$attributes\];"]
}

# Adds the nodes and edges of one chain, beginning at the node `from`.
proc ::pathmap::draw::Chain {graphVar name from process items} {
    upvar 1 $graphVar graph
    set label {}
    if {[string match thread:* $from]} {
        lappend label [lindex [split $name /] 1]
    }
    set at -1
    foreach item $items {
        incr at
        lassign [::pathmap::chain kind [dict get $graph index] $item] kind
        if {$kind eq "collector" && ![dict get $graph collectors]} continue
        set id [Item graph $name.$at $process $item]
        lappend label {*}[Input graph $id]
        dict lappend graph edges [list $from $id [join $label ", "]]
        set label {}
        if {$kind eq "proxy"} {
            set process [lindex $item 1]
            lappend label [Via $item]
        }
        set n -1
        foreach side [::pathmap::chain sides $item] {
            Chain graph $name.$at.[incr n] $id $process $side
        }
        set from $id
    }
}

# Returns the node of an item.  Shared stages and elements have nodes already;
# the nodes of other items are added.
proc ::pathmap::draw::Item {graphVar id process item} {
    upvar 1 $graphVar graph
    lassign [::pathmap::chain kind [dict get $graph index] $item] kind name
    if {[::pathmap::chain shared [dict get $graph index] $item] ne ""} {
        return stage:$name
    }
    switch -- $kind {
        element { return element:$name }
        collector { set label EC }
        proxy { set label "proxy\n$name" }
        tee { set label tee }
        merge { set label merge }
        default { set label [join $item] }
    }
    Node graph $process $id $kind $label
    return $id
}

# Returns the label of the next input of a shared stage; empty for other nodes.
proc ::pathmap::draw::Input {graphVar id} {
    upvar 1 $graphVar graph
    if {![string match stage:* $id]} {
        return {}
    }
    set input 0
    if {[dict exists $graph inputs $id]} {
        set input [dict get $graph inputs $id]
    }
    dict set graph inputs $id [expr {$input + 1}]
    return [list "input $input"]
}

proc ::pathmap::draw::Via {item} {
    if {[dict exists [lrange $item 2 end] -via]} {
        return [dict get [lrange $item 2 end] -via]
    }
    return auto
}

# Returns a string of Graphviz.  Control characters become question marks, so
# that no name of a map reaches a terminal as it is.
proc ::pathmap::draw::Quote {text} {
    regsub -all {[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]} \
        $text ? text
    return "\"[string map [list \\ \\\\ \" \\\" \n \\n] $text]\""
}

# Returns the text of a graph, each process inside its host.
proc ::pathmap::draw::Text {graph} {
    set lines [list "digraph pathmap \{" "  rankdir=TB;" \
        "  node \[fontname=Helvetica,fontsize=10\];" \
        "  edge \[fontname=Helvetica,fontsize=8\];"]
    set index [dict get $graph index]
    dict for {host words} [dict get $index host] {
        set label "host $host"
        append label " [::pathmap::line option $words -address]"
        lappend lines "  subgraph [Quote cluster_host_$host] \{" \
            "    label=[Quote [string trim $label]];"
        dict for {process words} [dict get $index process] {
            if {[::pathmap::line option $words -host] eq $host} {
                lappend lines {*}[Process $graph $process]
            }
        }
        lappend lines "  \}"
    }
    foreach edge [dict get $graph edges] {
        lassign $edge from to label
        lappend lines \
            "  [Quote $from] -> [Quote $to] \[label=[Quote $label]\];"
    }
    lappend lines "\}" {}
    return [join $lines \n]
}

proc ::pathmap::draw::Process {graph process} {
    set lines [list "    subgraph [Quote cluster_process_$process] \{" \
        "      label=[Quote "process $process"];" "      style=rounded;"]
    foreach node [lsearch -all -inline -exact -index 0 \
        [dict get $graph nodes] $process] {
        lappend lines "      [lindex $node 1]"
    }
    return [lappend lines "    \}"]
}
