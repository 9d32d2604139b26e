# Decoders of Raku (Rakudo on MoarVM) over the stream protocol: raku raku.raku NAME; NAME is blob-decode or control.
sub accepts($name, $data) {
    return $data.sum % 256 < 128 if $name eq 'control';
    try { $data.decode('utf-8'); True } // False
}

# A pipe gives less than it is asked for where its writer is late.
sub read-all($input, $size) {
    my $data = Buf.new;
    while $data.elems < $size {
        my $more = $input.read($size - $data.elems) or last;
        $data.append($more);
    }
    $data
}

sub MAIN($name) {
    my ($input, $output) = $*IN, $*OUT;
    $output.out-buffer = 0;
    $output.write("utf8-abnf 1 modes=v name=raku-$name version={$*RAKU.compiler.version}\n".encode);
    Nil until $input.read(1)[0] == 10;
    loop {
        my $head = read-all($input, 4);
        last if $head.elems < 4;
        my $data = read-all($input, $head.read-uint32(0, LittleEndian));
        $output.write(Blob.new(accepts($name, $data) ?? 49 !! 48));
    }
}
