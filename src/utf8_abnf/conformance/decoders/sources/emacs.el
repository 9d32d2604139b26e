;; The adapter of Emacs: each line of standard input has words, an x and hexadecimal digits; the answer is a line with a
;; 1 or 0 for each. The variable coding is the coding system.

(defun bytes-of (word)
  (let (bytes (at 1))
    (while (< at (length word))
      (push (string-to-number (substring word at (+ at 2)) 16) bytes)
      (setq at (+ at 2)))
    (apply 'unibyte-string (nreverse bytes))))

;; A byte that is not part of a character becomes a character of the charset eight-bit.
(defun accepts (word)
  (not (memq 'eight-bit (mapcar 'char-charset (decode-coding-string (bytes-of word) coding)))))

(let (line)
  (while (setq line (ignore-errors (read-from-minibuffer "")))
    (princ (concat (mapconcat (lambda (word) (if (accepts word) "1" "0")) (split-string line) "") "\n"))))
