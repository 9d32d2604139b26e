;;; Decoders of Chez Scheme over the stream protocol: scheme --script chez.ss NAME, one of those in accepts below.
(define name (cadr (command-line)))

(define (marks characters)
  (length (filter (lambda (each) (char=? each #\xFFFD)) characters)))

;; The number of times that EF BF BD stands in data.
(define (marks-in data)
  (let next ([at 0] [count 0])
    (cond
     [(> (+ at 3) (bytevector-length data)) count]
     [(and (= (bytevector-u8-ref data at) #xEF) (= (bytevector-u16-ref data (+ at 1) (endianness big)) #xBFBD))
      (next (+ at 3) (+ count 1))]
     [else (next (+ at 1) count)])))

(define (accepts data)
  (cond
   [(string=? name "control") (< (modulo (apply + (bytevector->u8-list data)) 256) 128)]
   ;; utf8->string raises nothing: what it rejects becomes U+FFFD.
   [(string=? name "utf8-to-string") (<= (marks (string->list (utf8->string data))) (marks-in data))]))

(define (answer mode data output)
  (if (char=? mode #\r)
      (let ([text (string->utf8 (utf8->string data))] [size (make-bytevector 4)])
        (bytevector-u32-set! size 0 (bytevector-length text) (endianness little))
        (put-bytevector output size)
        (put-bytevector output text))
      (put-u8 output (if (accepts data) 49 48))))

(let ([input (standard-input-port (buffer-mode block))] [output (standard-output-port (buffer-mode block))])
  (put-bytevector output (string->utf8 (format "utf8-abnf 1 modes=~a name=chez-~a version='~a'\n"
    (if (string=? name "control") "v" "v,r") name (scheme-version))))
  (flush-output-port output)
  (let ([mode (integer->char (get-u8 input))])
    (let skip () (unless (= (get-u8 input) 10) (skip)))
    (let next ()
      (let ([head (get-bytevector-n input 4)])
        (unless (or (eof-object? head) (< (bytevector-length head) 4))
          (let ([size (bytevector-u32-ref head 0 (endianness little))])
            (answer mode (if (zero? size) #vu8() (get-bytevector-n input size)) output))
          ;; Nothing tells whether the input has run dry, so every answer leaves at once.
          (flush-output-port output)
          (next))))))
