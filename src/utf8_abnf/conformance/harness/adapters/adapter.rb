# Adapter for `utf8-abnf test stream:'ruby adapter.rb'`.
# Protocol: say hello, read one line with the mode, then answer each frame (length, 4 bytes little-endian; data).
# [v]
def accepts(data)
  # TODO: call your decoder; return whether it accepts data as UTF-8. This example accepts ASCII only.
  data.ascii_only?
end

# [p]
def first_error(data)
  # TODO: return the offset and the length (0: not told) of the first error; nil if there is none.
  offset = data.index(/[^\x00-\x7F]/n)
  offset && [offset, 1]
end

# [r]
def replace(data)
  # TODO: return the text as UTF-8, with U+FFFD for errors; nil to reject and not replace.
  data.gsub(/[^\x00-\x7F]/n, "\uFFFD".b)
end

# [s]
class Stream
  # TODO: a stream of your decoder: feed returns false if the data are certainly wrong by now, finish if they were.
  def initialize
    @good = true
  end

  def feed(data)
    @good &&= data.ascii_only?
  end

  def finish
    @good
  end
end

# [end]
ANSWERS = {
  # [v]
  "v" => ->(data) { accepts(data) ? "1" : "0" },
  # [p]
  "p" => ->(data) { (first_error(data) || [0xFFFFFFFF, 0]).pack("VC") },
  # [r]
  "r" => lambda do |data|
    text = replace(data)
    text ? [text.bytesize].pack("V") + text.b : [0xFFFFFFFF].pack("V")
  end,
  # [s]
  "s" => lambda do |data|
    stream = Stream.new
    count = data.unpack1("V")
    at = 4 + 4 * count
    said = data.byteslice(4, 4 * count).unpack("V*").map do |size|
      at += size
      stream.feed(data.byteslice(at - size, size)) ? "?" : "0"
    end
    said.join + (stream.finish ? "1" : "0")
  end,
  # [end]
}.freeze

STDIN.binmode
STDOUT.binmode
STDOUT.syswrite("utf8-abnf 1 modes=v,p,r,s name=mydecoder version=1\n")
pending = "".b
mode = nil
begin
  loop do
    pending << STDIN.readpartial(65_536)
    mode ||= pending.slice!(/\A[^\n]*\n/n)&.strip or next
    at = 0
    answers = "".b
    while at + 4 <= pending.bytesize
      size = pending.byteslice(at, 4).unpack1("V")
      break if at + 4 + size > pending.bytesize
      answers << ANSWERS[mode].call(pending.byteslice(at + 4, size))
      at += 4 + size
    end
    pending = pending.byteslice(at..)
    answers = answers.byteslice(STDOUT.syswrite(answers)..) until answers.empty?
  end
rescue EOFError
  # no more cases
end
