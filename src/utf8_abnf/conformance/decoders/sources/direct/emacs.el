;; A byte that is not part of a character becomes a character of the charset eight-bit.
(set-buffer-multibyte nil)
(insert-file-contents-literally "/dev/stdin")
(let ((text (decode-coding-string (buffer-string) 'utf-8-unix)))
  (kill-emacs (if (memq 'eight-bit (mapcar 'char-charset text)) 11 10)))
