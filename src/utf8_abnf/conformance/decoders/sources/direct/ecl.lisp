(handler-case
    (with-open-file (input "/dev/stdin" :element-type '(unsigned-byte 8))
      (let ((text (ext:make-sequence-input-stream
                   (coerce (loop for byte = (read-byte input nil) while byte collect byte)
                           '(vector (unsigned-byte 8)))
                   :external-format :utf-8)))
        (loop while (read-char text nil nil))
        (ext:quit 10)))
  (ext:stream-decoding-error () (ext:quit 11)))
