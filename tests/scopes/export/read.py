#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# tests/scopes/export/read.py - prints the events of an export
#
#   read.py chrome FILE
#   read.py perfetto FILE	output of protoc --decode
#   read.py ctf FILE		output of babeltrace2
#   read.py otf2 FILE		output of otf2-print
#
# A line of an event is
#	event PROCESS NAME SEQ START STOP	times in ns; STOP -: open
#	point PROCESS NAME SEQ AT
#	arrow PROCESS NAME TIME -> PROCESS NAME TIME
# A line "broken" reports a violation of the format.

import json
import re
import sys


def ns(us):
    """Converts a text of microseconds with three decimals to ns, exactly."""
    whole, _, part = us.partition(".")
    value = int(whole + (part + "000")[:3])
    return value


def arrows(out, starts, ends):
    for number in sorted(set(starts) | set(ends), key=int):
        if len(starts.get(number, ())) != 1 or len(ends.get(number, ())) != 1:
            out.append("broken arrow %s" % number)
            continue
        out.append("arrow %s -> %s" % (starts[number][0], ends[number][0]))


def chrome(text):
    data = json.loads(text, parse_float=str)
    names, out, starts, ends, slices = {}, [], {}, {}, {}
    for e in data["traceEvents"]:
        if e["ph"] == "M":
            names[e["name"], e["pid"], e["tid"]] = e["args"]["name"]
    for e in data["traceEvents"]:
        if e["ph"] == "M":
            continue
        process = names["process_name", e["pid"], 0]
        if ("thread_name", e["pid"], e["tid"]) not in names:
            out.append("broken thread %d" % e["tid"])
        at = ns(str(e["ts"]))
        where = (e["pid"], e["tid"])
        if e["ph"] in "sf":
            what = "%s %s %d" % (process, slices[where], at)
            (starts if e["ph"] == "s" else ends).setdefault(
                str(e["id"]), []).append(what)
            continue
        seq = e["args"].get("seq", "-")
        slices[where] = e["name"]
        if e["ph"] == "i":
            out.append("point %s %s %s %d" % (process, e["name"], seq, at))
            continue
        end = "-"
        if e["ph"] == "X":
            end = "%d" % (at + ns(str(e["dur"])))
        out.append("event %s %s %s %d %s" %
                   (process, e["name"], seq, at, end))
    arrows(out, starts, ends)
    return out


def decode(text):
    """Returns the packets in a text of protoc, as dictionaries of lists."""
    stack = [{}]
    for line in text.splitlines():
        line = line.strip()
        if line.endswith("{"):
            stack.append({})
            stack[-2].setdefault(line[:-1].strip(), []).append(stack[-1])
        elif line == "}":
            stack.pop()
        else:
            key, _, value = line.partition(": ")
            stack[-1].setdefault(key, []).append(value.strip('"'))
    return stack[0]["packet"]


def one(message, key, default=None):
    return message.get(key, [default])[0]


class Sequence:
    def __init__(self):
        self.at, self.names, self.args, self.texts = 0, {}, {}, {}
        self.track, self.stack, self.flags = None, [], None


def perfetto_packet(p, tracks, sequences, out, starts, ends):
    number = one(p, "trusted_packet_sequence_id")
    s = sequences.setdefault(number, Sequence())
    unknown = [k for k in p if k.isdigit()]
    if unknown or number is None:
        out.append("broken packet %s" % p)
    if "track_descriptor" in p:
        track = p["track_descriptor"][0]
        uuid = track["uuid"][0]
        # Perfetto takes 0 for no track.
        if uuid == "0" or uuid in tracks:
            out.append("broken track %s" % uuid)
        tracks[uuid] = track
        return
    flags = int(one(p, "sequence_flags", "0"))
    if "trace_packet_defaults" in p:
        defaults = p["trace_packet_defaults"][0]
        if flags != 1 or defaults["timestamp_clock_id"] != ["64"]:
            out.append("broken defaults")
        s.track = defaults["track_event_defaults"][0]["track_uuid"][0]
        if "previous_packet_dropped" in p:
            out.append("dropped %s" % number)
        return
    if flags != 2:
        out.append("broken flags")
    for entry in one(p, "interned_data", {}).get("event_names", []):
        s.names[entry["iid"][0]] = entry["name"][0]
    for entry in one(p, "interned_data", {}).get("debug_annotation_names", []):
        s.args[entry["iid"][0]] = entry["name"][0]
    for entry in one(p, "interned_data", {}).get(
            "debug_annotation_string_values", []):
        s.texts[entry["iid"][0]] = entry["str"][0]
    if "track_event" in p:
        s.at += int(one(p, "timestamp"))
        perfetto_event(p["track_event"][0], s, tracks, out, starts, ends)


def process_of(tracks, uuid):
    while "process" not in tracks[uuid]:
        uuid = tracks[uuid]["parent_uuid"][0]
    return tracks[uuid]["process"][0]["process_name"][0]


def perfetto_event(e, s, tracks, out, starts, ends):
    kind = one(e, "type")
    process = process_of(tracks, s.track)
    if kind == "TYPE_SLICE_END":
        name, seq, start = s.stack.pop()
        out.append("event %s %s %s %d %d" % (process, name, seq, start, s.at))
    else:
        name, seq = s.names[one(e, "name_iid")], "0"
        for arg in e.get("debug_annotations", []):
            value = (arg.get("uint_value") or arg.get("int_value") or
                     arg.get("double_value") or
                     [s.texts[one(arg, "string_value_iid", "?")]])[0]
            if s.args[arg["name_iid"][0]] == "seq":
                seq = value
        if kind == "TYPE_SLICE_BEGIN":
            s.stack.append((name, seq, s.at))
        else:
            out.append("point %s %s %s %d" % (process, name, seq, s.at))
    for flow in e.get("flow_ids", []):
        starts.setdefault(flow, []).append("%s %s %d" % (process, name, s.at))
    for flow in e.get("terminating_flow_ids", []):
        ends.setdefault(flow, []).append("%s %s %d" % (process, name, s.at))


def perfetto(text):
    tracks, sequences, out, starts, ends = {}, {}, [], {}, {}
    for packet in decode(text):
        perfetto_packet(packet, tracks, sequences, out, starts, ends)
    for s in sequences.values():
        for name, seq, start in s.stack:
            out.append("event %s %s %s %d -" %
                       (process_of(tracks, s.track), name, seq, start))
    arrows(out, starts, ends)
    return out


def label(text, field):
    """Returns the name of an enumerated value, or its number."""
    found = re.search(
        r'[{ ]%s = (?:\( (?:"([^"]*)"|<unknown>) : container = )?(-?\d+)?' %
        field, text)
    return found.group(1) or found.group(2)


def ctf(text):
    out, last = [], None
    for line in text.splitlines():
        when = re.match(r"\[(-?)(?:(\d\d):(\d\d):)?(\d+)\.(\d{9})\]", line)
        sign, hours, minutes, seconds, part = when.groups()
        at = ((int(hours or 0) * 60 + int(minutes or 0)) * 60 +
              int(seconds)) * 10**9 + int(part)
        at = -at if sign else at
        if last is not None and at < last:
            out.append("broken order")
        last = at
        name = label(line, "op") or "-"
        if " element = " in line:
            name += " " + label(line, "element")
        stop = label(line, "stop")
        out.append("event %s %s %s %d %s" %
                   (label(line, "process"), name, label(line, "seq"), at,
                    "-" if stop == "0" else stop))
    return out


class Location:
    """A location of OTF2; posted has its receives, in the order in which they
    were posted, and open the requests that were made and not completed."""
    def __init__(self, process, events):
        self.process, self.events, self.stack = process, events, []
        self.posted, self.requests, self.begun = [], {}, None
        self.accesses, self.locks, self.waited = {}, {}, 0


def otf2_send(place, at, line, queues):
    peer, comm, tag = re.search(
        r'Receiver: \d+ \("([^"]*)" <\d+>\), '
        r'Communicator: .* <(\d+)>, Tag: (\d+), Length', line).groups()
    queues.setdefault(((place.process, peer), comm, tag), []).append(
        "%s %s %s" % (place.process, place.stack[-1][0], at))


def otf2_receive(place, at, line, receive):
    peer, comm, tag = re.search(
        r'Sender: \d+ \("([^"]*)" <\d+>\), '
        r'Communicator: .* <(\d+)>, Tag: (\d+), Length', line).groups()
    receive[:] = [((peer, place.process), comm, tag),
                  "%s %s %s" % (place.process, place.stack[-1][0], at)]


def otf2_meeting(place, at, line, begun, out):
    op, comm, root = re.search(
        r'Operation: (\w+), Communicator: (.*) <\d+>, Root: ([^\s,]+)',
        line).groups()
    out.append("collective %s %s %s root %s %s %s" %
               (place.process, op, comm.strip('"'), root, begun, at))


def otf2_request(kind, place, at, line, out):
    """Takes a request.  One that is completed was made in the same location,
    by an operation of the same kind, and is completed once."""
    number = re.search(r"Request: (\d+)", line).group(1)
    made = {"MPI_ISEND_COMPLETE": "MPI_ISEND", "MPI_IRECV": "MPI_IRECV_REQUEST",
            "NON_BLOCKING_COLLECTIVE_COMPLETE":
            "NON_BLOCKING_COLLECTIVE_REQUEST"}.get(kind)
    if made is None:
        if number in place.requests:
            out.append("broken request %s" % number)
        place.requests[number] = (kind, at, [])
        return place.requests[number]
    found = place.requests.pop(number, None)
    if found is None or found[0] != made or int(found[1]) > int(at):
        out.append("broken end of request %s" % number)
    out.append("request %s %s %s %s" % (place.process, made, found[1], at))
    return found


def otf2_mpi(kind, place, at, line, out, queues):
    request = None
    if "Request: " in line:
        request = otf2_request(kind, place, at, line, out)
    if kind in ("MPI_SEND", "MPI_ISEND"):
        otf2_send(place, at, line, queues)
    elif kind == "MPI_IRECV_REQUEST":
        place.posted.append(request[2])
    elif kind == "MPI_IRECV":
        otf2_receive(place, at, line, request[2])
    elif kind == "MPI_RECV":
        place.posted.append([])
        otf2_receive(place, at, line, place.posted[-1])
    elif kind == "MPI_COLLECTIVE_BEGIN":
        place.begun = at
    elif kind == "MPI_COLLECTIVE_END":
        otf2_meeting(place, at, line, place.begun, out)
    elif kind == "NON_BLOCKING_COLLECTIVE_COMPLETE":
        otf2_meeting(place, at, line, request[1], out)


def otf2_access(kind, place, at, line, out):
    """Takes an access, or its completion at the origin or the target, which
    is in the same location and not before it."""
    number = re.search(r"Matching: (\d+)", line).group(1)
    if kind in ("RMA_PUT", "RMA_GET", "RMA_ATOMIC"):
        if number in place.accesses:
            out.append("broken access %s" % number)
        target = re.search(r'Remote: \d+ \("([^"]*)"', line).group(1)
        sizes = re.search(r"Bytes: \d+|(Type: \w+), Sent: (\d+), "
                          r"Received: (\d+)", line).group(0)
        place.accesses[number] = [place.process, kind, target, sizes, at,
                                  "-", "-"]
        return
    which = 6 if kind == "RMA_OP_COMPLETE_REMOTE" else 5
    found = place.accesses.get(number)
    if found is None or found[which] != "-" or int(found[4]) > int(at):
        out.append("broken completion %s" % number)
    else:
        found[which] = at


def otf2_lock(kind, place, at, line, out):
    key = re.search(r'Window: "([^"]*)" <\d+>, Remote: (?:\d+ \("([^"]*)"|\w+)',
                    line).groups("all")
    if kind == "RMA_REQUEST_LOCK":
        place.locks[key] = (at, re.search(r"Type: (\w+)", line).group(1))
    elif key not in place.locks:
        out.append("broken lock %s %s" % key)
    else:
        since, how = place.locks.pop(key)
        out.append("rma %s LOCK %s %s %s %s" %
                   (place.process, key[1], how, since, at))


def otf2_rma(kind, place, at, line, out, groups):
    if "Matching: " in line:
        otf2_access(kind, place, at, line, out)
    elif kind.endswith("_LOCK"):
        otf2_lock(kind, place, at, line, out)
    elif kind == "RMA_COLLECTIVE_BEGIN":
        place.begun = at
    elif kind == "RMA_COLLECTIVE_END":
        out.append("rma %s %s %s %s" % (place.process, re.search(
            r"Operation: \w+", line).group(0), place.begun, at))
    else:
        window = re.search(r'Window: "([^"]*)"', line).group(1)
        members = []
        if kind == "RMA_GROUP_SYNC":
            level, group = re.search(r"Synchronicity: (\{.*\}), .*"
                                     r'Group: "" <(\d+)>', line).groups()
            members = [level, groups[group]]
        out.append(" ".join(["rma", place.process, kind[4:], window] +
                            members + [at]))


def otf2_metric(place, at, line, out):
    """Takes the waiting time, which grows with the end of a region only."""
    name, value = re.search(r'\("([^"]*)" <\d+>; UINT64; (\d+)\)$',
                            line).groups()
    grown = int(value) - place.waited
    if name != "waiting" or grown < 0 or (
            grown > 0 and int(at) - int(place.stack[-1][1]) < grown):
        out.append("broken metric %s" % line)
    place.waited = int(value)


def otf2_arrows(locations, queues, out):
    """Pairs the k-th send with the k-th receive that was posted, of the same
    two ranks, communicator and tag."""
    for place in locations.values():
        for receive in place.posted:
            if not receive:
                out.append("broken receive of %s" % place.process)
            elif queues.get(receive[0]):
                out.append("arrow %s -> %s" %
                           (queues[receive[0]].pop(0), receive[1]))
            else:
                out.append("broken message %s" % receive)
    for key, queue in queues.items():
        if queue:
            out.append("broken messages %s" % (key,))


def otf2(text):
    locations, out, queues, entered = {}, [], {}, ""
    groups = {n: " ".join(re.findall(r'"([^"]*)"', members))
              for n, members in re.findall(
                  r"^GROUP +(\d+) .*? Members?: (.*)$", text, re.MULTILINE)}
    for found in re.finditer(
            r'^LOCATION +(\d+) .*# Events: (\d+), Group: "([^"]*)"', text,
            re.MULTILINE):
        locations[found.group(1)] = Location(found.group(3),
                                             int(found.group(2)))
    for line in text.splitlines():
        found = re.search(r'ADDITIONAL ATTRIBUTES: \("call site" <0>; '
                          r'SOURCE_CODE_LOCATION; "([^"]*)"', line)
        if found:
            out.append("source %s %s" % (entered, found.group(1)))
        found = re.match(r"(ENTER|LEAVE|MPI_\w+|NON_BLOCKING_COLLECTIVE_\w+"
                         r"|RMA_\w+|METRIC) +(\d+) +(\d+) ", line + " ")
        if not found:
            continue
        kind, where, at = found.groups()
        place = locations[where]
        place.events -= 1
        if kind == "METRIC":
            otf2_metric(place, at, line, out)
            continue
        if kind.startswith("RMA_"):
            otf2_rma(kind, place, at, line, out, groups)
            continue
        if kind not in ("ENTER", "LEAVE"):
            otf2_mpi(kind, place, at, line, out, queues)
            continue
        name = re.search(r'Region: "([^"]*)"', line).group(1)
        if kind == "ENTER":
            place.stack.append((name, at))
            entered = "%s %s %s" % (place.process, name, at)
            continue
        opened, start = place.stack.pop()
        if opened != name:
            out.append("broken nesting %s %s" % (opened, name))
        out.append("event %s %s - %s %s" % (place.process, name, start, at))
    for number, place in locations.items():
        if place.events != 0 or place.stack:
            out.append("broken location %s" % number)
        if place.waited > 0:
            out.append("waiting %s %d" % (place.process, place.waited))
        for access in place.accesses.values():
            out.append("access " + " ".join(access))
    otf2_arrows(locations, queues, out)
    return out


def main():
    with open(sys.argv[2], encoding="utf-8") as file:
        text = file.read()
    read = {"chrome": chrome, "perfetto": perfetto, "ctf": ctf,
            "otf2": otf2}[sys.argv[1]]
    for line in sorted(read(text)):
        print(line)


main()
