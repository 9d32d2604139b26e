-- Decoders of Lua over the stream protocol: lua lua.lua utf8-len|utf8-len-lax
local lax = arg[1] == "utf8-len-lax"
-- Standard Lua cannot tell whether its input has run dry, so every answer leaves at once.
io.stdout:setvbuf("no")
io.write("utf8-abnf 1 modes=v name=lua-", arg[1], " version='", _VERSION, "'\n")
io.read("l")
while true do
  local head = io.read(4)
  if not head or #head < 4 then break end
  local size = string.unpack("<I4", head)
  local data = size == 0 and "" or io.read(size)
  io.write(utf8.len(data, 1, -1, lax) and "1" or "0")
end
