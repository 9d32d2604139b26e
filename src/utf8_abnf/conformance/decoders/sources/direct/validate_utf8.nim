import unicode

quit(if validateUtf8(stdin.readAll) < 0: 10 else: 11)
