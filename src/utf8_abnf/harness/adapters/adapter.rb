# Adapter for `utf8-abnf test stream:'ruby adapter.rb'`.
# Protocol: say hello, read one line with the mode, then answer each frame (length, 4 bytes little-endian; data).
def accepts(data)
  # TODO: call your decoder; return whether it accepts data as UTF-8. This example accepts ASCII only.
  data.ascii_only?
end

STDIN.binmode
STDOUT.binmode
STDOUT.syswrite("utf8-abnf 1 modes=v name=mydecoder version=1\n")
pending = "".b
started = false
begin
  loop do
    pending << STDIN.readpartial(65_536)
    started ||= pending.slice!(/\A[^\n]*\n/n) or next
    at = 0
    answers = +""
    while at + 4 <= pending.bytesize
      size = pending.byteslice(at, 4).unpack1("V")
      break if at + 4 + size > pending.bytesize
      answers << (accepts(pending.byteslice(at + 4, size)) ? "1" : "0")
      at += 4 + size
    end
    pending = pending.byteslice(at..)
    answers = answers.byteslice(STDOUT.syswrite(answers)..) until answers.empty?
  end
rescue EOFError
  # no more cases
end
