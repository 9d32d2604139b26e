(let ([data (get-bytevector-all (standard-input-port))]
      [utf-8 (make-transcoder (utf-8-codec) (eol-style none) (error-handling-mode raise))])
  (if (eof-object? data) (exit 10))
  (guard (error [(i/o-decoding-error? error) (exit 11)])
    (bytevector->string data utf-8)
    (exit 10)))
