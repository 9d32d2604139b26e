data = STDIN.gets_to_end
same = String.build { |text| data.each_char { |char| text << char } }
exit(same == data ? 10 : 11)
