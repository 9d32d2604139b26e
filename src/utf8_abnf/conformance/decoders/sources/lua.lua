-- Decoders of Lua over the stream protocol: lua lua.lua NAME, a key of first_error below.
-- Each returns nil where all is well, else the position of an error, counted from 1.
local first_error = {
  control = function(data)
    local sum = 0
    for at = 1, #data do sum = sum + data:byte(at) end
    return sum % 256 >= 128 and 1 or nil
  end,
  ["utf8-len"] = function(data) return select(2, utf8.len(data)) end,
  ["utf8-len-lax"] = function(data) return select(2, utf8.len(data, 1, -1, true)) end,
  ["utf8-codes"] = function(data)
    local good = pcall(function() for _ in utf8.codes(data) do end end)
    return not good and 1 or nil
  end,
  -- A string of JSON, in which what JSON forbids in one is escaped.
  ["cjson-decode"] = function(data)
    local escaped = data:gsub('[%c"\\]', function(byte) return ("\\u%04x"):format(byte:byte()) end)
    return not pcall(require("cjson").decode, '["' .. escaped .. '"]') and 1 or nil
  end,
}
local name = arg[1]
local judge = first_error[name]
local modes = name:match("^utf8%-len") and "v,p" or "v"
-- Standard Lua cannot tell whether its input has run dry, so every answer leaves at once.
io.stdout:setvbuf("no")
io.write("utf8-abnf 1 modes=", modes, " name=lua-", name, "\n")
local mode = io.read("l")
while true do
  local head = io.read(4)
  if not head or #head < 4 then break end
  local size = string.unpack("<I4", head)
  local position = judge(size == 0 and "" or io.read(size))
  if mode == "p" then -- Lua tells where, not how many bytes: length 0
    io.write(string.pack("<I4B", position and position - 1 or 0xFFFFFFFF, 0))
  else
    io.write(position and "0" or "1")
  end
end
