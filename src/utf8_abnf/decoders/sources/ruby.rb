# Decoders of Ruby over the stream protocol: ruby ruby.rb valid-encoding|encode
name = ARGV.fetch(0)
accepts = {
  "valid-encoding" => ->(data) { data.force_encoding("UTF-8").valid_encoding? },
  "encode" => lambda do |data|
    data.encode("UTF-16LE", "UTF-8")
    true
  rescue EncodingError
    false
  end,
}.fetch(name)
replaces = name == "valid-encoding" ? ->(data) { data.force_encoding("UTF-8").scrub } : nil

STDIN.binmode
STDOUT.binmode
STDOUT.syswrite("utf8-abnf 1 modes=#{replaces ? 'v,r' : 'v'} name=ruby-#{name} version=#{RUBY_VERSION}\n")
pending = "".b
mode = nil
begin
  loop do
    pending << STDIN.readpartial(65_536)
    unless mode
      line = pending.slice!(/\A[^\n]*\n/n) or next
      mode = line.strip
    end
    at = 0
    out = "".b
    while at + 4 <= pending.bytesize
      size = pending.byteslice(at, 4).unpack1("V")
      break if at + 4 + size > pending.bytesize
      data = pending.byteslice(at + 4, size)
      if mode == "r"
        text = replaces.call(data).b
        out << [text.bytesize].pack("V") << text
      else
        out << (accepts.call(data) ? "1" : "0")
      end
      at += 4 + size
    end
    pending = pending.byteslice(at..)
    out = out.byteslice(STDOUT.syswrite(out)..) until out.empty?
  end
rescue EOFError
  # no more cases
end
