#lang racket/base
;; Decoders of Racket over the stream protocol: racket racket.rkt NAME, one of those in accepts below.
(define name (vector-ref (current-command-line-arguments) 0))
(define (accepts data)
  (case name
    [("control") (< (modulo (for/sum ([each (in-bytes data)]) each) 256) 128)]
    [("bytes-to-string")
     (with-handlers ([exn:fail:contract? (lambda (_) #f)])
       (and (bytes->string/utf-8 data) #t))]))

(define (answer mode data)
  (case mode
    [("r")
     (define text (string->bytes/utf-8 (bytes->string/utf-8 data #\uFFFD)))
     (write-bytes (integer->integer-bytes (bytes-length text) 4 #f #f))
     (write-bytes text)]
    [else (write-bytes (if (accepts data) #"1" #"0"))]))

(printf "utf8-abnf 1 modes=v,r name=racket-~a version=~a\n" name (version))
(flush-output)
(define mode (read-line))
(let next ()
  (define head (read-bytes 4))
  (unless (eof-object? head)
    (define size (integer-bytes->integer head #f #f))
    (answer mode (if (zero? size) #"" (read-bytes size)))
    ;; Nothing tells whether the input has run dry, so every answer leaves at once.
    (flush-output)
    (next)))
