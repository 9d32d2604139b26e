# Adapter for `utf8-abnf test stream:'perl adapter.pl'`.
# Protocol: say hello, read one line with the mode, then answer each frame (length, 4 bytes little-endian; data).
use strict;
use warnings;

sub accepts {
    my ($data) = @_;
    # TODO: call your decoder; return whether it accepts $data as UTF-8. This example accepts ASCII only.
    return $data !~ /[^\x00-\x7F]/;
}

sub put {
    my ($left) = @_;
    while (length $left) { my $done = syswrite(STDOUT, $left) // exit; substr($left, 0, $done) = '' }
}

binmode STDIN;
binmode STDOUT;
put("utf8-abnf 1 modes=v name=mydecoder version=1\n");
my ($pending, $started) = ('', 0);
while (sysread STDIN, $pending, 65536, length $pending) {
    $started ||= $pending =~ s/\A[^\n]*\n// or next;
    my ($at, $answers) = (0, '');
    while ($at + 4 <= length $pending) {
        my $size = unpack 'V', substr($pending, $at, 4);
        last if $at + 4 + $size > length $pending;
        $answers .= accepts(substr $pending, $at + 4, $size) ? '1' : '0';
        $at += 4 + $size;
    }
    substr($pending, 0, $at) = '';
    put($answers);
}
