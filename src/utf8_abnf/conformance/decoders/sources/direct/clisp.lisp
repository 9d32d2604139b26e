(handler-case
    (let ((input (make-stream :input :element-type '(unsigned-byte 8))))
      (convert-string-from-bytes
       (coerce (loop for byte = (read-byte input nil) while byte collect byte)
               '(vector (unsigned-byte 8)))
       (make-encoding :charset charset:utf-8 :input-error-action :error))
      (exit 10))
  (simple-charset-type-error () (exit 11)))
