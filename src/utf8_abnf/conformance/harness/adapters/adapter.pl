# Adapter for `utf8-abnf test stream:'perl adapter.pl'`.
# Protocol: say hello, read one line with the mode, then answer each frame (length, 4 bytes little-endian; data).
use strict;
use warnings;

# [v]
sub accepts {
    my ($data) = @_;
    # TODO: call your decoder; return whether it accepts $data as UTF-8. This example accepts ASCII only.
    return $data !~ /[^\x00-\x7F]/;
}

# [p]
sub first_error {
    my ($data) = @_;
    # TODO: return the offset and the length (0: not told) of the first error; the empty list if there is none.
    return $data =~ /[^\x00-\x7F]/ ? ($-[0], 1) : ();
}

# [r]
sub replace {
    my ($data) = @_;
    # TODO: return the text as bytes of UTF-8, with U+FFFD for errors; undef to reject and not replace.
    return $data =~ s/[^\x00-\x7F]/\xEF\xBF\xBD/gr;
}

# [s]
# TODO: a stream of your decoder: feed returns false if the data are certainly wrong by now, finish if they were.
sub begin { return { wrong => 0 } }
sub feed { my ($stream, $data) = @_; $stream->{wrong} ||= $data =~ /[^\x00-\x7F]/; return !$stream->{wrong} }
sub finish { my ($stream) = @_; return !$stream->{wrong} }

# [end]
my %answers = (
    # [v]
    v => sub { accepts($_[0]) ? '1' : '0' },
    # [p]
    p => sub { my @error = first_error($_[0]); @error ? pack('VC', @error) : pack('VC', 0xFFFFFFFF, 0) },
    # [r]
    r => sub { my $text = replace($_[0]); defined $text ? pack('V', length $text) . $text : pack('V', 0xFFFFFFFF) },
    # [s]
    s => sub {
        my ($stream, $count) = (begin(), unpack 'V', $_[0]);
        my ($at, $said) = (4 + 4 * $count, '');
        for my $size (unpack "x4 V$count", $_[0]) {
            $said .= feed($stream, substr $_[0], $at, $size) ? '?' : '0';
            $at += $size;
        }
        return $said . (finish($stream) ? '1' : '0');
    },
    # [end]
);

sub put {
    my ($left) = @_;
    while (length $left) { my $done = syswrite(STDOUT, $left) // exit; substr($left, 0, $done) = '' }
}

binmode STDIN;
binmode STDOUT;
put("utf8-abnf 1 modes=v,p,r,s name=mydecoder version=1\n");
my ($pending, $mode) = ('', '');
while (sysread STDIN, $pending, 65536, length $pending) {
    if (!$mode) { $pending =~ s/\A(\w)[^\n]*\n// or next; $mode = $1 }
    my ($at, $answers) = (0, '');
    while ($at + 4 <= length $pending) {
        my $size = unpack 'V', substr($pending, $at, 4);
        last if $at + 4 + $size > length $pending;
        $answers .= $answers{$mode}->(substr $pending, $at + 4, $size);
        $at += 4 + $size;
    }
    substr($pending, 0, $at) = '';
    put($answers);
}
