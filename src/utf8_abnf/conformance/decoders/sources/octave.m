% Decoders of Octave over the stream protocol: octave-cli octave.m NAME, where NAME is native2unicode or control.
1;

% Return the bytes that the decoder makes of data, as UTF-8; an error where it rejects.
function text = made (data)
  text = data;
  if (isempty (data)) % native2unicode takes no empty vector
    return;
  end
  text = uint8 (native2unicode (data, "UTF-8"));
end

% How often U+FFFD, which it puts in the place of what is wrong, stands in data.
function count = marks (data)
  count = numel (strfind (char (data), char ([0xEF 0xBF 0xBD])));
end

function accepted = accepts (name, data)
  if (strcmp (name, "control"))
    accepted = mod (sum (data), 256) < 128;
    return;
  end
  try
    accepted = marks (made (data)) <= marks (data);
  catch
    accepted = false;
  end
end

name = argv (){end};
printf ("utf8-abnf 1 modes=v name=octave-%s version=%s\n", name, version ());
fflush (stdout);
fgetl (stdin);
while (true)
  [head, count] = fread (stdin, 4, "uint8=>uint8");
  if (count < 4)
    break;
  end
  data = fread (stdin, double (typecast (head, "uint32")), "uint8=>uint8")';
  if (accepts (name, data))
    fputs (stdout, "1");
  else
    fputs (stdout, "0");
  end
  fflush (stdout); % nothing tells whether the input has run dry
end
