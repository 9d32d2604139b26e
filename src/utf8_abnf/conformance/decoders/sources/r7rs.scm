;;; Decoders of MIT/GNU Scheme over the stream protocol: mit-scheme --quiet --load r7rs.scm -- NAME.

(define input (open-binary-input-file "/dev/stdin"))
(define output (open-binary-output-file "/dev/stdout"))
(define name (car (reverse (command-line-arguments))))

(define (decodes? data)
  (call-with-current-continuation
    (lambda (return)
      (with-exception-handler (lambda (condition) (return #f)) (lambda () (utf8->string data) #t)))))

(define (sum data)
  (let loop ((at 0) (total 0))
    (if (= at (bytevector-length data)) total (loop (+ at 1) (+ total (bytevector-u8-ref data at))))))

(define (accepts? data)
  (if (string=? name "control") (< (modulo (sum data) 256) 128) (decodes? data)))

(define (number-of head)
  (let loop ((at 3) (total 0))
    (if (< at 0) total (loop (- at 1) (+ (* 256 total) (bytevector-u8-ref head at))))))

;; As many bytes as there are, up to size; false at the end.
(define (take size)
  (let ((data (make-bytevector size 0)))
    (let loop ((at 0))
      (if (= at size)
          data
          (let ((byte (read-u8 input)))
            (if (eof-object? byte) #f (begin (bytevector-u8-set! data at byte) (loop (+ at 1)))))))))

(define (give text)
  (for-each (lambda (char) (write-u8 (char->integer char) output)) (string->list text))
  (flush-output-port output))

(give (string-append "utf8-abnf 1 modes=v name=mit-scheme-" name "\n"))
(let skip () (if (not (= (read-u8 input) 10)) (skip)))
(let next ()
  (let ((head (take 4)))
    (if head
        ;; Nothing sure tells whether the input has run dry, so every answer leaves at once.
        (begin (give (if (accepts? (take (number-of head))) "1" "0")) (next)))))
(exit 0)
