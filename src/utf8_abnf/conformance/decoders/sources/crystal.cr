# Decoders of Crystal over the stream protocol: crystal NAME, one of those in accepts below.
NAME = ARGV[0]

def accepts(data : Bytes)
  text = String.new(data)
  case NAME
  when "control"        then data.sum(0_u64) % 256 < 128
  when "valid-encoding" then text.valid_encoding?
  else raise NAME
  end
end

STDOUT.sync = false
STDOUT << "utf8-abnf 1 modes=" << (NAME == "valid-encoding" ? "v,r" : "v") << " name=crystal-" << NAME << " version=" << Crystal::VERSION << "\n"
STDOUT.flush
mode = STDIN.gets
head = Bytes.new(4)
while STDIN.read_fully?(head)
  data = Bytes.new(IO::ByteFormat::LittleEndian.decode(UInt32, head))
  STDIN.read_fully(data)
  if mode == "r"
    text = String.new(data).scrub
    STDOUT.write_bytes(text.bytesize.to_u32, IO::ByteFormat::LittleEndian)
    STDOUT << text
  else
    STDOUT << (accepts(data) ? '1' : '0')
  end
  STDOUT.flush # nothing tells whether the input has run dry
end
