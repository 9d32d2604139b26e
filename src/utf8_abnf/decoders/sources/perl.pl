# Decoders of Perl over the stream protocol: perl perl.pl encode-strict|encode-lax|utf8-decode
use strict;
use warnings;
no warnings 'utf8';
use Encode ();

my $name = shift @ARGV;
my $strict = Encode::find_encoding('UTF-8');    # utf-8-strict
my $lax = Encode::find_encoding('utf8');
my %accepts = (
    'encode-strict' => sub { eval { $strict->decode($_[0], Encode::FB_CROAK); 1 } },
    'encode-lax'    => sub { eval { $lax->decode($_[0], Encode::FB_CROAK); 1 } },
    # utf8::decode says no to nothing but ill-formed data; pure ASCII counts as decoded.
    'utf8-decode'   => sub { utf8::decode($_[0]) },
);
my $replaces = $name eq 'encode-strict';
my %answers = (
    v => sub { $accepts{$name}->($_[0]) ? '1' : '0' },
    r => sub { my $text = $strict->decode($_[0], Encode::FB_DEFAULT); utf8::encode($text); pack('V/a', $text) },
);

binmode STDIN;
binmode STDOUT;
sub say_all { my $left = shift; while (length $left) { my $done = syswrite STDOUT, $left; substr($left, 0, $done) = '' } }

say_all(sprintf "utf8-abnf 1 modes=%s name=perl-%s version=%vd\n", $replaces ? 'v,r' : 'v', $name, $^V);
my ($pending, $mode) = ('', '');
while (sysread STDIN, $pending, 65536, length $pending) {
    if ($mode eq '') {
        next unless $pending =~ s/\A([^\n]*)\n//;
        $mode = $1;
    }
    my ($at, $out) = (0, '');
    while ($at + 4 <= length $pending) {
        my $size = unpack 'V', substr $pending, $at, 4;
        last if $at + 4 + $size > length $pending;
        $out .= $answers{$mode}->(my $data = substr $pending, $at + 4, $size);
        $at += 4 + $size;
    }
    substr($pending, 0, $at) = '';
    say_all($out);
}
