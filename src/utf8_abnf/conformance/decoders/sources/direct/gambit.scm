(define input (open-input-file "/dev/stdin"))
(define (bytes read)
  (let ((byte (read-u8 input)))
    (if (eof-object? byte)
        (apply bytevector (reverse read))
        (bytes (cons byte read)))))
(exit
 (call-with-current-continuation
  (lambda (leave)
    (with-exception-handler
     (lambda (error) (leave 11))
     (lambda () (utf8->string (bytes '())) 10)))))
