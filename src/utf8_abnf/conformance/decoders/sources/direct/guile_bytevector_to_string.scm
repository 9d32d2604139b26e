(use-modules (ice-9 binary-ports) (ice-9 iconv))
(catch 'decoding-error
  (lambda ()
    (let ((data (get-bytevector-all (current-input-port))))
      (if (not (eof-object? data)) (bytevector->string data "UTF-8" 'error))
      (exit 10)))
  (lambda _ (exit 11)))
