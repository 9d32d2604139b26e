% Decoders of Octave over the stream protocol: octave-cli octave.m NAME, one of those in made below.
1;

% Return the bytes that the decoder makes of data, as UTF-8; an error where it rejects.
function text = made (name, data)
  text = data;
  if (isempty (data)) % native2unicode takes no empty vector
    return;
  end
  switch (name)
    case "native2unicode"
      text = uint8 (native2unicode (data, "UTF-8"));
    case "unicode2native"
      units = unicode2native (char (data), "UTF-32LE");
      if (isempty (units))
        text = units;
      else
        text = uint8 (native2unicode (units, "UTF-32LE"));
      end
    case "u8-validate"
      text = uint8 (__u8_validate__ (char (data), "replace"));
  end
end

% How often that which it puts in the place of what is wrong stands in data.
function count = marks (name, data)
  mark = char ([0xEF 0xBF 0xBD]);
  if (strcmp (name, "unicode2native"))
    mark = "?";
  end
  count = numel (strfind (char (data), mark));
end

function accepted = accepts (name, data)
  if (strcmp (name, "control"))
    accepted = mod (sum (data), 256) < 128;
    return;
  end
  try
    accepted = marks (name, made (name, data)) <= marks (name, data);
  catch
    accepted = false;
  end
end

name = argv (){end};
modes = "v,r";
if (strcmp (name, "native2unicode"))
  modes = "v";
end
printf ("utf8-abnf 1 modes=%s name=octave-%s version=%s\n", modes, name, version ());
fflush (stdout);
mode = fgetl (stdin);
while (true)
  [head, count] = fread (stdin, 4, "uint8=>uint8");
  if (count < 4)
    break;
  end
  data = fread (stdin, double (typecast (head, "uint32")), "uint8=>uint8")';
  if (strcmp (mode, "r"))
    text = made (name, data);
    fwrite (stdout, [typecast(uint32 (numel (text)), "uint8"), text(:)']);
  elseif (accepts (name, data))
    fputs (stdout, "1");
  else
    fputs (stdout, "0");
  end
  fflush (stdout); % nothing tells whether the input has run dry
end
