# Decoders of Perl over the stream protocol: perl perl.pl NAME, a key of %accepts below.
use strict;
use warnings;
no warnings 'utf8';
use Encode ();

my $name = shift @ARGV;
my $strict = Encode::find_encoding('UTF-8');    # utf-8-strict
my $lax = Encode::find_encoding('utf8');
my %needs = (
    'json-pp' => 'JSON::PP', 'json-xs' => 'JSON::XS', 'unicode-utf8' => 'Unicode::UTF8',
    'perlio-utf8-strict' => 'PerlIO::utf8_strict',
    'cpanel-json-xs' => 'Cpanel::JSON::XS',
);
if (my $module = $needs{$name}) { eval "require $module; 1" or die $@ }
my $json = $name =~ /json-(pp|xs)$/ ? $needs{$name}->new->utf8->allow_nonref : undef;

# Whether the data come through a layer without a warning and without an exception.
sub read_through {
    my ($layer, $data) = @_;
    my $good = 1;
    local $SIG{__WARN__} = sub { $good = 0 };
    use warnings;
    open my $handle, "<$layer", \$data or die $!;
    local $/;
    eval { my $text = <$handle>; 1 } or $good = 0;
    close $handle or $good = 0;
    return $good;
}

# The data as a JSON string: what JSON wants escaped is escaped, every byte from 80 on is as it was.
sub quoted { my $data = shift; $data =~ s/([\x00-\x1F"\\\x7F])/sprintf '\\u%04x', ord $1/ge; qq("$data") }

my %accepts = (
    'control'            => sub { unpack('%32C*', $_[0]) % 256 < 128 },
    'encode-strict'      => sub { eval { $strict->decode($_[0], Encode::FB_CROAK); 1 } },
    'layer-encoding'     => sub { read_through(':encoding(UTF-8)', $_[0]) },
    'perlio-utf8-strict' => sub { read_through(':utf8_strict', $_[0]) },
    'unicode-utf8'       => sub { Unicode::UTF8::valid_utf8($_[0]) },
);
# What gives text, or undef for an error.
my %texts = (
    'encode-lax'     => sub { eval { $lax->decode($_[0], Encode::FB_CROAK) } },
    # utf8::decode says no to nothing but ill-formed data; pure ASCII counts as decoded.
    'utf8-decode'    => sub { utf8::decode($_[0]) ? $_[0] : undef },
    'json-pp'        => sub { eval { $json->decode(quoted($_[0])) } },
    'json-xs'        => sub { eval { $json->decode(quoted($_[0])) } },
    'cpanel-json-xs' => sub { eval { $json->decode(quoted($_[0])) } },
);
for my $each (keys %texts) { $accepts{$each} = sub { defined $texts{$each}->($_[0]) } }
my %replaces = (
    %texts,
    'encode-strict' => sub { $strict->decode($_[0], Encode::FB_DEFAULT) },
    'unicode-utf8'  => sub { no warnings; Unicode::UTF8::decode_utf8($_[0]) },
);
# FB_QUIET stops at the first error and leaves what it has not decoded in its argument.
my %stops = ('encode-strict' => sub { $strict->decode($_[0], Encode::FB_QUIET); length $_[0] });
my %streams = ('encode-strict' => \&stream);

sub stream {
    my @sizes = unpack 'V/V', $_[0];
    my ($at, $left, $answers) = (4 + 4 * @sizes, '', '');
    for my $size (@sizes) {
        if ($answers !~ /0/) {
            $left .= substr $_[0], $at, $size;
            eval { $strict->decode($left, Encode::FB_CROAK | Encode::STOP_AT_PARTIAL); 1 } or $left = undef;
        }
        $at += $size;
        $answers .= defined $left ? '?' : '0';
    }
    return $answers . (defined $left && $left eq '' ? '1' : '0');
}

my %answers = (
    v => sub { $accepts{$name}->($_[0]) ? '1' : '0' },
    # Perl tells where it stopped, not how many bytes are wrong: length 0.
    p => sub { my $size = length $_[0]; my $left = $stops{$name}->($_[0]); pack 'VC', $left ? $size - $left : 0xFFFFFFFF, 0 },
    r => sub {
        my $text = $replaces{$name}->($_[0]);
        return pack 'V', 0xFFFFFFFF unless defined $text;
        utf8::encode($text);
        return pack 'V/a', $text;
    },
    s => sub { $streams{$name}->($_[0]) },
);
my $modes = join ',', 'v', ('p') x exists $stops{$name}, ('r') x exists $replaces{$name}, ('s') x exists $streams{$name};

binmode STDIN;
binmode STDOUT;
sub say_all { my $left = shift; while (length $left) { my $done = syswrite STDOUT, $left; substr($left, 0, $done) = '' } }

my $version = $needs{$name} ? $needs{$name}->VERSION : sprintf '%vd', $^V;
$version = "'Encode $Encode::VERSION, perl $version'" if $name =~ /^(encode|layer)-/;
say_all("utf8-abnf 1 modes=$modes name=perl-$name version=$version\n");
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
