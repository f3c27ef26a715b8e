# pathmap.tcl --
#
#   The package pathmap: generate, read, look at, instrument, change, check,
#   draw and write path maps.  What a path map is stands in libpaths/map.h.
#
#	package require pathmap
#
#	set spec [pathmap cluster -hosts 2 -processes 1 -threads 4]
#	pathmap define spec element total -type f64*1 -join reduce -op sum
#	pathmap define spec use t* total exchange
#	set map [pathmap generate $spec -shape binary -via tcp]
#	pathmap write [pathmap instrument $map] total.map
#
#   A map and a spec are values; every procedure but [define] gives back a new
#   one.  Errors are thrown as {EVENTSPACE PATHMAP REASON} with one line:
#
#	SYNTAX	a line of a map is wrong: "FILE:LINE: WORD: expected ..."
#	SPEC	a definition is wrong, or names what is not there
#	SHAPE	threads cannot be joined in this shape
#	NAME	the map has no such thing
#	NOMATCH	nothing in the map matches a pattern
#	USAGE	an option is not known or its value is wrong
#	FILE	a file cannot be read or written
#	SCRIPT	a mapping script fails: "FILE:LINE: ..."
#	CHECK	the map is not sound: the line eventspace-map-check says
#
#   Generate, see spec.tcl and generate.tcl:
#     cluster ?-hosts N? ?-processes N? ?-threads N? ?-cores BOOL?
#         ?-listen LIST? ?-address LIST? ?-topology LIST?
#         a spec with hosts h0.., processes p0.., threads t0.. in blocks
#     spec
#         an empty spec, for clusters that are not regular
#     define specVar host NAME ?-address A? ?-topology FILE|N?
#     define specVar process NAME -host HOST ?-listen {ENDPOINT ...}?
#     define specVar thread NAME -process PROCESS ?-core N|auto?
#     define specVar element NAME -type T ?-process P? ?-keep N? ?-full F?
#         ?-take T? ?-join reduce|gather|scatter|broadcast|barrier? ?-op OP?
#         ?-shape S? ?-k N? ?-via V?
#     define specVar use THREADS ELEMENT ?any|read|write|exchange?
#         ?-with ITEMS?
#     generate spec ?-via V? ?-shape S? ?-k N? ?-file F?
#         a map; shapes are flat, binary, kary, host, or a nested list of
#         processes or threads: {{p0 p1} {p2 p3}}
#
#     script TEXT ?-argv LIST? ?-file F? ?-options DICT?
#         a map, from definitions that are a Tcl script; see script.tcl
#
#   Text, see files.tcl and text.tcl:
#     read FILE, write MAP FILE        "-" is standard input or output
#     parse TEXT ?FILE?, text MAP      the same bytes, but for edits
#
#   Look, see query.tcl:
#     hosts, processes, threads, elements, stages, paths MAP ?NAME?
#         all names, or what the map says of one
#     chains MAP                       {NAME PROCESS CHAIN} of all chains
#     route MAP THREAD/ELEMENT         {PROCESS ITEM CHAIN} of all on the way
#     check MAP                        by eventspace-map-check, see check.tcl
#     draw MAP ?-format F? ?-collectors BOOL?                 see draw.tcl
#
#   Instrument, see instrument.tcl:
#     instrument MAP ?-where PATTERN? ?-at all|head? ?-mode MODE? ?-keep N?
#     strip MAP ?-where PATTERN? ?-at all|head?
#
#   Change, see edit.tcl and move.tcl:
#     insert MAP before|after|head PATTERN ITEM
#     replace MAP PATTERN ITEM
#     move MAP thread|element|stage NAME PROCESS ?-via V?
#     reroot MAP ELEMENT PROCESS ?-via V?
#
#   A PATTERN means stages: "reduce" or "sum*" by kind or name, "t0/total" by
#   path, "t0/*:proxy" both; see chain.tcl, [matches].
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
foreach part {
    chain check draw edit errors files generate instrument line move query
    reach script shape spec text
} {
    package require pathmap::$part
}
unset part

namespace eval ::pathmap {
    namespace ensemble create -map {
        parse      ::pathmap::text::parse
        text       ::pathmap::text::text
        read       ::pathmap::files::read
        write      ::pathmap::files::write
        save       ::pathmap::files::save
        spec       ::pathmap::spec::spec
        cluster    ::pathmap::spec::cluster
        define     ::pathmap::spec::define
        generate   ::pathmap::generate::generate
        script     ::pathmap::script::script
        hosts      {::pathmap::query::things host}
        processes  {::pathmap::query::things process}
        threads    {::pathmap::query::things thread}
        elements   {::pathmap::query::things element}
        stages     {::pathmap::query::things stage}
        paths      {::pathmap::query::things path}
        chains     ::pathmap::chain::all
        route      ::pathmap::query::route
        check      ::pathmap::check::check
        draw       ::pathmap::draw::draw
        instrument ::pathmap::instrument::instrument
        strip      ::pathmap::instrument::strip
        insert     ::pathmap::edit::insert
        replace    ::pathmap::edit::replace
        move       ::pathmap::move::move
        reroot     ::pathmap::move::reroot
    }
}
package provide pathmap 0.1
