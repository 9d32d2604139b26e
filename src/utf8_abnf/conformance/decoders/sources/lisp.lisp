;;; Decoders of Common Lisps over the stream protocol: sbcl --script lisp.lisp NAME; clisp and ecl --shell alike.
;;; NAME is bytes, the implementation's own way from bytes to a string, or control.

(defvar *name* (car (last #+sbcl sb-ext:*posix-argv* #+clisp ext:*args* #+ecl (ext:command-args))))

(defun bytes (size)
  (make-array size :element-type '(unsigned-byte 8)))

#+clisp
(defun utf-8 (action)
  (ext:make-encoding :charset 'charset:utf-8 :line-terminator :unix :input-error-action action))

;; It raises an error for what is wrong.
(defun text (data)
  #+sbcl (sb-ext:octets-to-string data :external-format :utf-8)
  #+clisp (ext:convert-string-from-bytes data (utf-8 :error))
  #+ecl (let ((input (ext:make-sequence-input-stream data :external-format :utf-8)))
          (loop for char = (read-char input nil nil) while char collect char)))

;; U+FFFD for what is wrong, in UTF-8 again.
(defun replaced (data)
  #+sbcl (sb-ext:string-to-octets
          (sb-ext:octets-to-string data :external-format '(:utf-8 :replacement #\ufffd)) :external-format :utf-8)
  #+clisp (ext:convert-string-to-bytes (ext:convert-string-from-bytes data (utf-8 (code-char #xfffd))) (utf-8 :error))
  #+ecl data)

(defvar *modes* #+(or sbcl clisp) "v,r" #+ecl "v")

(defun accepts (data)
  (if (string= *name* "control")
      (< (mod (reduce #'+ data) 256) 128)
      (handler-case (progn (text data) t)
        #+sbcl (sb-int:character-decoding-error () nil)
        #-sbcl (error () nil))))

;; ECL has bytes on its standard streams as characters of Latin-1.
(defun take (size input)
  (let* ((data #-ecl (bytes size) #+ecl (make-string size)) (end (read-sequence data input)))
    #-ecl (if (= end size) data (subseq data 0 end))
    #+ecl (map '(vector (unsigned-byte 8)) #'char-code (subseq data 0 end))))

(defun give (data output)
  #-ecl (write-sequence data output)
  #+ecl (write-sequence (map 'string #'code-char data) output))

(defun number-of (head)
  (loop for byte across head for shift from 0 by 8 sum (ash byte shift)))

(defun number-bytes (number)
  (coerce (loop for shift from 0 to 24 by 8 collect (ldb (byte 8 shift) number)) '(vector (unsigned-byte 8))))

(defun ascii (text)
  (map '(vector (unsigned-byte 8)) #'char-code text))

(defun answer (mode data)
  (if (char= mode #\r)
      ;; CLISP replaces what is wrong, and yet raises an error for what is cut.
      (let ((text (handler-case (replaced data) #+clisp (error () nil))))
        (concatenate '(vector (unsigned-byte 8)) (number-bytes (if text (length text) #xffffffff)) text))
      (ascii (if (accepts data) "1" "0"))))

(defun serve (input output)
  (give (ascii (format nil "utf8-abnf 1 modes=~a name=~a-~a version='~a'~%" (if (string= *name* "control") "v" *modes*)
                       #+sbcl "sbcl" #+clisp "clisp" #+ecl "ecl" *name* (lisp-implementation-version)))
        output)
  (finish-output output)
  (let ((mode (code-char (aref (take 1 input) 0))))
    (loop until (= (aref (take 1 input) 0) 10))
    (loop for head = (take 4 input)
          while (= (length head) 4)
          ;; Nothing tells whether the input has run dry, so every answer leaves at once.
          do (give (answer mode (take (number-of head) input)) output)
             (finish-output output))))

#+sbcl
(serve (sb-sys:make-fd-stream 0 :element-type '(unsigned-byte 8) :buffering :full)
       (sb-sys:make-fd-stream 1 :element-type '(unsigned-byte 8) :buffering :full :output t :input nil))

#+clisp
(serve (ext:make-stream :input :element-type '(unsigned-byte 8))
       (ext:make-stream :output :element-type '(unsigned-byte 8)))

#+ecl
(progn (si::stream-external-format-set *standard-input* :latin-1)
       (si::stream-external-format-set *standard-output* :latin-1)
       (serve *standard-input* *standard-output*))
