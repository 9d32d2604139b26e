exit(STDIN.gets_to_end.valid_encoding? ? 10 : 11)
