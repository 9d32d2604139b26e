; Accept unless more U+FFFD comes out than EF BF BD stands in the data.
(define (marks text) (length (filter (lambda (each) (char=? each #\xFFFD)) (string->list text))))
(define (marks-in bytes)
  (cond
   [(< (length bytes) 3) 0]
   [(and (= (car bytes) #xEF) (= (cadr bytes) #xBF) (= (caddr bytes) #xBD)) (+ 1 (marks-in (cdddr bytes)))]
   [else (marks-in (cdr bytes))]))
(let ([data (get-bytevector-all (standard-input-port))])
  (if (eof-object? data) (exit 10))
  (exit (if (> (marks (utf8->string data)) (marks-in (bytevector->u8-list data))) 11 10)))
