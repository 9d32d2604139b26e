# Decoders of Ruby over the stream protocol: ruby ruby.rb NAME, a key of DECODERS below.
require "json"

# What a decoder can be asked: :accepts gives a verdict, :first_error an offset and a length or nil, :replace a text,
# :stream a fresh object with feed (false once it is wrong) and finish.
class Transcoding
  def initialize
    @converter = Encoding::Converter.new("UTF-8", "UTF-16LE")
    @wrong = false
  end

  def feed(chunk)
    @wrong ||= @converter.primitive_convert(chunk.dup, +"", nil, nil, partial_input: true) != :source_buffer_empty
    !@wrong
  end

  def finish
    !@wrong && @converter.primitive_convert(+"", +"") == :finished
  end

  def self.first_error(data)
    converter = Encoding::Converter.new("UTF-8", "UTF-16LE")
    rest = data.dup
    return nil if converter.primitive_convert(rest, +"") == :finished

    _, _, _, wrong, again = converter.primitive_errinfo
    [data.bytesize - rest.bytesize - wrong.bytesize - again.bytesize, wrong.bytesize]
  end
end

# The data as a JSON string: what JSON wants escaped is escaped, every byte from 80 on is as it was.
def quoted(data)
  "\"#{data.b.gsub(/[\x00-\x1F"\\\x7F]/n) { |byte| format('\u%04x', byte.ord) }}\"".b
end

def taken(*errors)
  yield
  true
rescue *errors
  false
end

DECODERS = {
  "control" => { accepts: ->(data) { data.sum(8) < 128 } },
  "valid-encoding" => {
    accepts: ->(data) { data.force_encoding("UTF-8").valid_encoding? },
    replace: ->(data) { data.force_encoding("UTF-8").scrub },
  },
  "encode" => {
    accepts: ->(data) { taken(EncodingError) { data.encode("UTF-16LE", "UTF-8") } },
    first_error: Transcoding.method(:first_error),
    replace: ->(data) { data.encode("UTF-16LE", "UTF-8", invalid: :replace).encode("UTF-8") },
    stream: Transcoding.method(:new),
  },
  "unpack-u" => { accepts: ->(data) { taken(ArgumentError) { data.unpack("U*") } } },
  "json-parse" => { accepts: ->(data) { taken(JSON::ParserError, EncodingError) { JSON.parse(quoted(data)) } } },
  "json-generate" => {
    accepts: ->(data) { taken(JSON::GeneratorError) { JSON.generate(data.force_encoding("UTF-8")) } },
  },
}.freeze
name = ARGV.fetch(0)
decoder = DECODERS.fetch(name)

def streamed(decoder, frame)
  count, = frame.unpack("V")
  sizes = frame.unpack("@4V#{count}")
  at = 4 + 4 * count
  stream = decoder[:stream].call
  answers = sizes.map do |size|
    at += size
    stream.feed(frame.byteslice(at - size, size)) ? "?" : "0"
  end
  answers.join + (stream.finish ? "1" : "0")
end

def answer(decoder, mode, data)
  case mode
  when "v" then decoder[:accepts].call(data) ? "1" : "0"
  when "s" then streamed(decoder, data)
  when "p"
    offset, length = decoder[:first_error].call(data)
    [offset || 0xFFFFFFFF, [length || 0, 255].min].pack("VC")
  when "r"
    text = decoder[:replace].call(data).b
    [text.bytesize].pack("V") << text
  end
end

STDIN.binmode
STDOUT.binmode
modes = { accepts: "v", first_error: "p", replace: "r", stream: "s" }.values_at(*decoder.keys).join(",")
version = name.start_with?("json") ? "'json #{JSON::VERSION}, Ruby #{RUBY_VERSION}'" : RUBY_VERSION
STDOUT.syswrite("utf8-abnf 1 modes=#{modes} name=ruby-#{name} version=#{version}\n")
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
      out << answer(decoder, mode, pending.byteslice(at + 4, size))
      at += 4 + size
    end
    pending = pending.byteslice(at..)
    out = out.byteslice(STDOUT.syswrite(out)..) until out.empty?
  end
rescue EOFError
  # no more cases
end
