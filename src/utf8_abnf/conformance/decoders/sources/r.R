# Decoders of R over the stream protocol: Rscript r.R NAME, a key of accepts below.
name <- commandArgs(TRUE)[1]

# R keeps bytes in strings as they are; a string has no NUL.
text <- function(data) { text <- rawToChar(data); Encoding(text) <- "UTF-8"; text }

accepts <- list(
  "control" = function(data) sum(as.integer(data)) %% 256 < 128,
  "validutf8" = function(data) validUTF8(text(data))
)[[name]]

input <- file("stdin", "rb")
answer <- function(text) { cat(text); flush(stdout()) }
answer(sprintf("utf8-abnf 1 modes=v name=r-%s version=%s.%s\n", name, R.version$major, R.version$minor))
mode <- readBin(input, "raw", 1)
while (readBin(input, "raw", 1) != as.raw(10)) {}
repeat {
  size <- readBin(input, "integer", 1, endian = "little")
  if (length(size) == 0) break
  data <- readBin(input, "raw", size)
  refused <- as.raw(0) %in% data && name != "control"
  answer(if (refused) "u" else if (accepts(data)) "1" else "0")
}
