data = STDIN.gets_to_end
marks = (2...data.bytesize).count { |at| data.to_slice[at - 2, 3] == Bytes[0xEF, 0xBF, 0xBD] }
exit(data.each_char.count('\uFFFD') > marks ? 11 : 10)
