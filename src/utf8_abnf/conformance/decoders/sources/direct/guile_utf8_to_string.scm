(use-modules (rnrs bytevectors) (ice-9 binary-ports))
(catch 'decoding-error
  (lambda ()
    (let ((data (get-bytevector-all (current-input-port))))
      (or (eof-object? data) (utf8->string data))
      (exit 10)))
  (lambda _ (exit 11)))
