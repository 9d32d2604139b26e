#lang racket/base
(require racket/port)
(define data (port->bytes (current-input-port)))
(exit (with-handlers ([exn:fail:contract? (lambda (_) 11)])
        (bytes->string/utf-8 data)
        10))
