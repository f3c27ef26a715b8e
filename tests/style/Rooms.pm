# SPDX-License-Identifier: MIT
#
# tests/style/Rooms.pm - includes and calls between the files of the tree
#
# The list of rooms is tests/style/rooms.  Includes are read from the sources,
# calls from the symbols of the objects in a build tree.  Both are edges
# [FROM, TO, WHAT] between files of the tree.

package Rooms;

use strict;
use warnings;
use Exporter 'import';
use File::Basename qw(basename dirname);
use File::Find qw(find);
use Style;

our @EXPORT = qw(rooms_read room_of include_edges call_edges upward cycles
    cycles_unlisted declared_elsewhere);

my @floors = qw(libpaths collectors scopes viewer);

# rooms_read TREE: {order => {room => index}, names => [room...],
# header => {header => room}, pair => {"file file" => reason}}
sub rooms_read {
	my ($root) = @_;
	my %rooms = (order => {}, names => [], header => {}, pair => {});
	for (split /\n/, text($root, 'tests/style/rooms')) {
		my ($word, @rest) = split ' ';
		next if !defined $word || $word =~ /^#/;
		if ($word eq 'room') {
			my $room = shift @rest;
			$rooms{order}{$room} = @{ $rooms{names} };
			push @{ $rooms{names} }, $room;
			my ($floor) = split m{/}, $room;
			$rooms{header}{"$floor/$_"} = $room for @rest;
		} elsif ($word eq 'cycle' && @rest > 2) {
			my ($one, $other, @reason) = @rest;
			$rooms{pair}{ join ' ', sort $one, $other } = "@reason";
		} else {
			die "tests/style/rooms: what is \"$_\"?\n";
		}
	}
	find_headers($root, \%rooms);
	return \%rooms;
}

# A public header belongs to the room of the source with its name: scopes/run.h
# to scopes/run/run.c, scopes/plugin.h to scopes/views/plugin.c.  Of several
# such sources the one in the lowest room counts.
sub find_headers {
	my ($root, $rooms) = @_;
	my $order = $rooms->{order};
	my @sources = sort { $order->{ dirname($a) } <=> $order->{ dirname($b) } }
	    grep { exists $order->{ dirname($_) } } files($root, qr{\.c$});
	for my $source (@sources) {
		$rooms->{header}{$_} //= dirname($source)
		    for public_headers($source);
	}
	return;
}

# The public headers that may declare what a source offers.
sub public_headers {
	my ($source) = @_;
	my ($floor, $inner) = $source =~ m{^([^/]+)/(.*)\.c$};
	my @parts = split m{/}, $inner;
	return map { "$floor/" . join('_', @parts[ $_ .. $#parts ]) . '.h' }
	    reverse 0 .. $#parts;
}

sub room_of {
	my ($rooms, $path) = @_;
	return $rooms->{header}{$path} // dirname($path);
}

# Edges between files by include lines, without those between public headers.
sub include_edges {
	my ($root) = @_;
	my @edges;
	for my $path (files($root, qr{\.(?:c|h)$})) {
		next if $path =~ m{^(?:tests|examples)/} || $path =~ m{^[^/]+/[^/]+\.h$};
		push @edges, map { [ $path, $_, "includes \"$_\"" ] }
		    text($root, $path) =~ /^#include "([^"]+)"/mg;
	}
	return @edges;
}

# The source of an object of automake and libtool.
sub source_of {
	my ($build, $object) = @_;
	my $name = substr $object, length($build) + 1;
	$name =~ s{\.libs/}{};
	my $stem = basename($name, '.o') =~ s{^.*-}{}r;
	return dirname($name) . "/$stem.c";
}

sub objects {
	my ($build) = @_;
	my @found;
	find({ no_chdir => 1, wanted => sub {
		push @found, $_ if /\.o$/;
	} }, grep { -d } map { "$build/$_" } @floors);
	return sort @found;
}

# symbols TREE, BUILD: {file => {used => {symbol => 1},
# given => {symbol => type}}}, without objects whose source is gone
sub symbols {
	my ($root, $build) = @_;
	my %files;
	my @objects = objects($build) or return \%files;
	open my $nm, '-|', 'nm', '-gA', @objects or die "nm: $!\n";
	while (<$nm>) {
		my ($object, $type, $symbol) = /^([^:]+):.*([A-Za-z]) (\S+)$/
		    or next;
		my $source = source_of($build, $object);
		next unless -f "$root/$source" || -f "$build/$source";
		$files{$source}{ $type eq 'U' ? 'used' : 'given' }{$symbol} =
		    $type;
	}
	close $nm;
	return \%files;
}

# Edges between files by symbols, without data that a file reaches through a
# list, the .def file that it includes.
sub call_edges {
	my ($root, $build) = @_;
	my $files = symbols($root, $build);
	my %giver;
	for my $file (sort keys %$files) {
		push @{ $giver{$_} }, $file for keys %{ $files->{$file}{given} };
	}
	my @edges;
	for my $file (sort keys %$files) {
		my $lists = -f "$root/$file"
		    && text($root, $file) =~ /^#include "[^"]+\.def"/m;
		for my $symbol (sort keys %{ $files->{$file}{used} }) {
			my $from = $giver{$symbol} // [];
			next if @$from != 1 || $from->[0] eq $file;
			next if $lists && $files->{ $from->[0] }{given}{$symbol}
			    =~ /[BDR]/;
			push @edges, [ $file, $from->[0], "uses $symbol of $from->[0]",
				$symbol ];
		}
	}
	return @edges;
}

# upward ROOMS, EDGES: those that go to a room further down in the list, or, on
# the same floor, to a folder that is no room.
sub upward {
	my ($rooms, @edges) = @_;
	my $order = $rooms->{order};
	return grep {
		my ($from, $to) = @$_;
		my ($here, $there) = map { $order->{ room_of($rooms, $_) } }
		    $from, $to;
		defined $here && floor($from) eq floor($to)
		    && (!defined $there || $there > $here);
	} @edges;
}

sub floor {
	my ($path) = @_;
	return $path =~ s{/.*}{}r;
}

# cycles_unlisted ROOMS, EDGES: the cycles without the pairs of the list.
sub cycles_unlisted {
	my ($rooms, @edges) = @_;
	return grep { !$rooms->{pair}{"@$_"} } cycles(@edges);
}

# cycles EDGES: the sets of files of one room that reach each other.
sub cycles {
	my (@edges) = @_;
	my %next;
	for (@edges) {
		my ($from, $to) = @$_;
		$next{$from}{$to} = 1 if dirname($from) eq dirname($to);
	}
	my %reach = map { $_ => reached(\%next, $_) } keys %next;
	my (%seen, @cycles);
	for my $file (sort keys %next) {
		next if $seen{$file} || !$reach{$file}{$file};
		my @cycle = grep { $reach{$_} && $reach{$_}{$file} }
		    sort keys %{ $reach{$file} };
		$seen{$_} = 1 for @cycle;
		push @cycles, \@cycle;
	}
	return @cycles;
}

sub reached {
	my ($next, $file) = @_;
	my %reached;
	my @todo = ($file);
	while (defined(my $at = shift @todo)) {
		push @todo, grep { !$reached{$_}++ } keys %{ $next->{$at} // {} };
	}
	return \%reached;
}

# The names that a header declares: functions and data.
sub declared_in {
	my ($text) = @_;
	$text = body_of($text);
	$text =~ s/\\\n/ /g;
	$text =~ s/\b__attribute__\s*(\((?:[^()]|(?1))*\))//g;
	$text =~ s/^[ \t]*#.*$//mg;
	1 while $text =~ s/\{[^{}]*\}/;/g;
	return $text =~ /\b([A-Za-z_]\w*)(?=\s*\(|(?:\s+[A-Z_]+)?\s*;|\s*\[)/g;
}

# Each symbol that another file uses, and that neither a header of its source's
# name nor a public header declares: "SYMBOL of SOURCE is declared in HEADER".
sub declared_elsewhere {
	my ($root, @edges) = @_;
	my %where;
	for my $header (files($root, qr{\.h$})) {
		push @{ $where{$_} }, $header for declared_in(text($root, $header));
	}
	my (%seen, @bad);
	for (@edges) {
		my ($source, $symbol) = @$_[ 1, 3 ];
		next if $seen{$symbol}++ || !-f "$root/$source";
		my $stem = $source =~ s{\.c$}{}r;
		my %own = map { $_ => 1 } "$stem.h", "${stem}_private.h",
		    public_headers($source);
		my @in = @{ $where{$symbol} // [] };
		next if grep { $own{$_} || m{^[^/]+/[^/]+$} } @in;
		push @bad, "$symbol of $source is declared in "
		    . (@in ? join(', ', @in) : 'no header');
	}
	return @bad;
}

1;
