uses BaseUnix;

var
  data, text: rawbytestring;
  size: longint;

begin
  setlength(data, 9999);
  size := fpread(0, data[1], 9999);
  setlength(data, size);
  text := utf8encode(utf8decode(data));
  { compare bytes: strings of different code pages would be converted }
  setcodepage(text, $ffff, false);
  setcodepage(data, $ffff, false);
  if text = data then
    halt(10);
  halt(11);
end.
