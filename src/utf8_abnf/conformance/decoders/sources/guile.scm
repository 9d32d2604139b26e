;;; Decoders of Guile over the stream protocol: guile guile.scm NAME, one of those in accepts below.
(use-modules (rnrs bytevectors) (ice-9 binary-ports) (ice-9 textual-ports) (web uri))

(define name (cadr (command-line)))

(define (read-through strategy data)
  (let ((port (open-bytevector-input-port data)))
    (set-port-encoding! port "UTF-8")
    (set-port-conversion-strategy! port strategy)
    (get-string-all port)))

(define-syntax-rule (decodes? expression)
  (catch 'decoding-error (lambda () expression #t) (lambda _ #f)))

(define (percent-encoded data)
  (string-concatenate
   (map (lambda (each) (string-append "%" (string-pad (number->string each 16) 2 #\0))) (bytevector->u8-list data))))

(define (accepts data)
  (cond
   ((string=? name "control") (< (modulo (apply + (bytevector->u8-list data)) 256) 128))
   ((string=? name "utf8-to-string") (decodes? (utf8->string data)))
   ((string=? name "uri-decode") (decodes? (uri-decode (percent-encoded data))))
   ((string=? name "port") (decodes? (read-through 'error data)))))

(define (answer mode data output)
  (if (char=? mode #\r)
      (let* ((text (string->utf8 (read-through 'substitute data))) (size (make-bytevector 4)))
        (bytevector-u32-set! size 0 (bytevector-length text) (endianness little))
        (put-bytevector output size)
        (put-bytevector output text))
      (put-u8 output (if (accepts data) 49 48))))

(let ((input (current-input-port)) (output (current-output-port)))
  (setvbuf input 'block 65536)
  (setvbuf output 'block 65536)
  (format output "utf8-abnf 1 modes=~a name=guile-~a version=~a\n" (if (string=? name "port") "v,r" "v") name (version))
  (force-output output)
  (let ((mode (integer->char (get-u8 input))))
    (let skip () (unless (= (get-u8 input) 10) (skip)))
    (let next ()
      (let ((head (get-bytevector-n input 4)))
        (unless (or (eof-object? head) (< (bytevector-length head) 4))
          (let ((size (bytevector-u32-ref head 0 (endianness little))))
            (answer mode (if (zero? size) #vu8() (get-bytevector-n input size)) output))
          ;; Nothing tells whether the input has run dry, so every answer leaves at once.
          (force-output output)
          (next))))))
