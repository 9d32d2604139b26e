(handler-case
    (with-open-file (input "/dev/stdin" :element-type '(unsigned-byte 8))
      (sb-ext:octets-to-string
       (coerce (loop for byte = (read-byte input nil) while byte collect byte)
               '(vector (unsigned-byte 8)))
       :external-format :utf-8)
      (exit :code 10))
  (sb-int:character-decoding-error () (exit :code 11)))
