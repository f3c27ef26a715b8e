# pathmap.tcl --
#
#   The package pathmap: generates, reads, queries, instruments, changes,
#   checks, draws and writes path maps.  eventspace-pathmap(5) describes them.
#
#	package require pathmap
#
#	set spec [pathmap cluster -hosts 2 -processes 1 -threads 4]
#	pathmap define spec element total -type f64*1 -join reduce -op sum
#	pathmap define spec use t* total exchange
#	set map [pathmap generate $spec -shape binary -via tcp]
#	pathmap write [pathmap instrument $map] total.map
#
#   A map and a spec are values.  Procedures return a changed copy; only
#   [define] changes the variable that holds the spec.  Errors are thrown as
#   {EVENTSPACE PATHMAP REASON} with a message of one line:
#
#	SYNTAX	a line of a map is wrong: "FILE:LINE: WORD: expected ..."
#	SPEC	a definition is wrong, or names something undefined
#	SHAPE	threads cannot be joined in this shape
#	NAME	the map has no thing of this name
#	NOMATCH	nothing in the map matches a pattern
#	USAGE	an option is unknown or its value is wrong
#	FILE	a file cannot be read or written, or a program is not found
#	SCRIPT	a mapping script fails: "FILE:LINE: ..."
#	CHECK	the map is not valid; the message is eventspace-map-check's
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
#         ?-take T? ?-join reduce|gather|allgather|scatter|broadcast|barrier?
#         ?-op OP? ?-shape S? ?-k N? ?-via V?
#     define specVar use THREADS ELEMENT ?any|read|write|exchange?
#         ?-with ITEMS?
#     generate spec ?-via V? ?-shape S? ?-k N? ?-file F?
#         a map; shapes are flat, binary, kary, host, or a nested list of
#         processes or threads: {{p0 p1} {p2 p3}}
#
#     script TEXT ?-argv LIST? ?-file F? ?-options DICT?
#         a map, from definitions written as a Tcl script; see script.tcl
#
#   Text, see files.tcl and text.tcl:
#     read FILE, write MAP FILE        "-" is standard input or output
#     save BYTES FILE                  as write, for a drawn map
#     parse TEXT ?FILE?, text MAP      unedited statements keep their bytes
#
#   Query, see query.tcl:
#     hosts, processes, threads, elements, stages, paths MAP ?NAME?
#         all names, or the options of one thing
#     chains MAP                       {NAME PROCESS CHAIN} of each chain
#     route MAP THREAD/ELEMENT         {PROCESS ITEM CHAIN} of each step
#     check MAP                        run eventspace-map-check; see check.tcl
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
#   Place, see place.tcl:
#     moves TEXT ?FILE?                the moves of a placement
#     place MAP MOVES ?-via V?         other hosts, processes and cores
#
#   A PATTERN selects stages: "reduce" or "sum*" by kind or name, "t0/total"
#   by path, "t0/*:proxy" by both; see [matches] in chain.tcl.
#
# SPDX-License-Identifier: MIT

package require Tcl 8.6
foreach part {
    chain check draw edit errors files generate instrument line move place
    query reach script shape spec text
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
        moves      ::pathmap::place::moves
        place      ::pathmap::place::place
    }
}
package provide pathmap 0.1
