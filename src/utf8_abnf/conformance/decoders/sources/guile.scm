;;; Decoders of Guile over the stream protocol: guile guile.scm NAME, one of those in accepts below.
(use-modules (rnrs bytevectors) (ice-9 binary-ports))

(define name (cadr (command-line)))

(define-syntax-rule (decodes? expression)
  (catch 'decoding-error (lambda () expression #t) (lambda _ #f)))

(define (accepts data)
  (cond
   ((string=? name "control") (< (modulo (apply + (bytevector->u8-list data)) 256) 128))
   ((string=? name "utf8-to-string") (decodes? (utf8->string data)))))

(let ((input (current-input-port)) (output (current-output-port)))
  (setvbuf input 'block 65536)
  (setvbuf output 'block 65536)
  (format output "utf8-abnf 1 modes=v name=guile-~a version=~a\n" name (version))
  (force-output output)
  (let skip () (unless (= (get-u8 input) 10) (skip)))
  (let next ()
    (let ((head (get-bytevector-n input 4)))
      (unless (or (eof-object? head) (< (bytevector-length head) 4))
        (let ((size (bytevector-u32-ref head 0 (endianness little))))
          (put-u8 output (if (accepts (if (zero? size) #vu8() (get-bytevector-n input size))) 49 48)))
        ;; Nothing tells whether the input has run dry, so every answer leaves at once.
        (force-output output)
        (next)))))
