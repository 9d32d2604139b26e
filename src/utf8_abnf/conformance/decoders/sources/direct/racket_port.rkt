#lang racket/base
(require racket/port)
(define data (port->bytes (current-input-port)))
(define text (string->bytes/utf-8 (port->string (open-input-bytes data))))
(define (marks bytes)
  (length (regexp-match-positions* #"\357\277\275" bytes)))
(exit (if (> (marks text) (marks data)) 11 10))
