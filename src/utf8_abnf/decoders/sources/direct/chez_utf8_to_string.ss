(let ([data (get-bytevector-all (standard-input-port))])
  (if (eof-object? data) (exit 10))
  (let ([text (utf8->string data)])
    (exit
     (if (or (bytevector=? (string->utf8 text) data)
             ; it drops a byte order mark
             (bytevector=? (string->utf8 (string-append "\xFEFF;" text)) data))
         10
         11))))
