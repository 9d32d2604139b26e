(use-modules (ice-9 binary-ports) (rnrs bytevectors) (web uri))
(define (encoded byte)
  (string-append "%" (string-pad (number->string byte 16) 2 #\0)))
(catch 'decoding-error
  (lambda ()
    (let ((data (get-bytevector-all (current-input-port))))
      (if (not (eof-object? data)) (uri-decode (string-concatenate (map encoded (bytevector->u8-list data)))))
      (exit 10)))
  (lambda _ (exit 11)))
