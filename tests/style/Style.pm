# SPDX-License-Identifier: MIT
#
# tests/style/Style.pm - functions shared by the style checks
#
# A check is a function from a tree of sources to complaints, one line each.
# holds() runs it on this tree.  sees() runs it on a small bad tree, and fails if
# the check finds nothing there.

package Style;

use strict;
use warnings;
use Exporter 'import';
use File::Basename qw(dirname);
use File::Find qw(find);
use File::Path qw(make_path);
use File::Temp qw(tempdir);

our @EXPORT = qw(top files text body_of holds sees passes skips done);

my @floors = qw(libpaths collectors scopes viewer examples tests doc);
my ($count, $failed) = (0, 0);

if (grep { ($_ // 'no') ne 'no' } @ENV{qw(SANITIZER FUZZ)}) {
	print "1..0 # SKIP built with a sanitizer\n";
	exit 0;
}

# Returns the root of the sources.
sub top { return $ENV{top_srcdir} // dirname($0) . '/../..' }

# Returns the files of the floors whose path from the root matches.
sub files {
	my ($root, $match) = @_;
	my @found;
	my @in = grep { -d "$root/$_" } @floors;
	find({ no_chdir => 1, wanted => sub {
		my $path = substr($_, length($root) + 1);
		push @found, $path if -f $_ && $path =~ $match
		    && $path !~ m{/(?:golden|build)/};
	} }, map { "$root/$_" } @in) if @in;
	return sort @found;
}

sub text {
	my ($root, $path) = @_;
	open my $file, '<', "$root/$path" or die "$root/$path: $!\n";
	local $/;
	return scalar(<$file>) // '';
}

# Returns C without comments and strings, with the same lines.
sub body_of {
	my ($text) = @_;
	$text =~ s{(/\*.*?\*/)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'}
	    {defined $1 ? "\n" x ($1 =~ tr/\n//) : '""'}gse;
	return $text;
}

sub report {
	my ($good, $promise, @notes) = @_;
	$count++;
	$failed++ unless $good;
	print $good ? 'ok' : 'not ok', " $count - $promise\n";
	print "# $_\n" for @notes;
	return;
}

# holds PROMISE, CHECK: the check finds nothing in this tree.
sub holds {
	my ($promise, $check) = @_;
	my @complaints = $check->(top());
	report(!@complaints, $promise, @complaints);
	return;
}

# The complaints of a check about a small tree, {PATH => TEXT...}.
sub complaints {
	my ($check, $tree) = @_;
	my $root = tempdir(CLEANUP => 1);
	for my $path (keys %$tree) {
		make_path(dirname("$root/$path"));
		open my $file, '>', "$root/$path" or die "$root/$path: $!\n";
		print $file $tree->{$path};
		close $file;
	}
	return $check->($root);
}

# sees WHAT, CHECK, {PATH => TEXT...}: the check complains of that tree.
sub sees {
	my ($what, $check, $tree) = @_;
	my @complaints = complaints($check, $tree);
	report(scalar @complaints, "the check sees $what");
	return;
}

# passes WHAT, CHECK, {PATH => TEXT...}: the check lets that tree pass.
sub passes {
	my ($what, $check, $tree) = @_;
	my @complaints = complaints($check, $tree);
	report(!@complaints, "the check passes $what", @complaints);
	return;
}

sub skips {
	my ($promise, $why) = @_;
	report(1, "$promise # SKIP $why");
	return;
}

sub done {
	print "1..$count\n";
	exit($failed ? 1 : 0);
}

1;
