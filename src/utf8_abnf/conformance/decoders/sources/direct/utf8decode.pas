uses BaseUnix;

var
  data: rawbytestring;
  letter: ansichar;
  unit16: widechar;
  marks: longint = 0;
begin
  setlength(data, 9999);
  setlength(data, fpread(0, data[1], 9999));
  for unit16 in utf8decode(data) do
    if unit16 = '?' then
      inc(marks);
  for letter in data do
    if letter = '?' then
      dec(marks);
  if marks > 0 then
    halt(11);
  halt(10);
end.
