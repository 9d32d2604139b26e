uses BaseUnix;

var
  data: rawbytestring;
  size, at, length: longint;

begin
  setlength(data, 9999);
  size := fpread(0, data[1], 9999);
  setlength(data, size);
  at := 0;
  while at < size do
  begin
    length := utf8codepointlen(pansichar(data) + at, size - at, false);
    if length <= 0 then
      halt(11);
    at := at + length;
  end;
  halt(10);
end.
