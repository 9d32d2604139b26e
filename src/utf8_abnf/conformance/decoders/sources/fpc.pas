{ Decoders of Free Pascal over the stream protocol: fpc NAME, one of those in Accepts below. }
program Adapter;
{$mode objfpc}{$H+}

uses SysUtils, BaseUnix;

var
  Name: string;

{ What Free Pascal makes of it, in UTF-8 again: '?' for what is wrong. }
function Replaced(const Data: RawByteString): RawByteString;
begin
  if Data = '' then Exit('');
  Result := UTF8Encode(UTF8Decode(Data));
  SetCodePage(Result, CP_NONE, False);
end;

{ It raises nothing: what it rejects becomes '?'. }
function Marks(const Text: RawByteString): SizeInt;
var
  Each: AnsiChar;
begin
  Result := 0;
  for Each in Text do if Each = '?' then Inc(Result);
end;

function Accepts(const Data: RawByteString): Boolean;
var
  Each: AnsiChar;
  Sum: Byte;
begin
  case Name of
    'control':
      begin
        Sum := 0;
        for Each in Data do Sum := Byte(Sum + Ord(Each));
        Result := Sum < 128;
      end;
    'utf8-decode': Result := Marks(Replaced(Data)) <= Marks(Data);
  else
    Halt(2);
  end;
end;

procedure Give(const Answer; Size: SizeInt);
var
  Done: SizeInt = 0;
begin
  while Done < Size do Inc(Done, FpWrite(1, (PAnsiChar(@Answer) + Done)^, Size - Done));
end;

{ False at the end. }
function Take(var Data; Size: SizeInt): Boolean;
var
  Done: SizeInt = 0;
  Got: SizeInt;
begin
  while Done < Size do
  begin
    Got := FpRead(0, (PAnsiChar(@Data) + Done)^, Size - Done);
    if Got <= 0 then Exit(False);
    Inc(Done, Got);
  end;
  Result := True;
end;

var
  Hello, Modes: string;
  Mode, Skipped: AnsiChar;
  Size, Offset: LongWord;
  Data, Text: RawByteString;
  Answer: array[0..0] of Byte;
begin
  Name := ParamStr(1);
  Modes := 'v';
  if Name = 'utf8-decode' then Modes := 'v,r';
  Hello := 'utf8-abnf 1 modes=' + Modes + ' name=fpc-' + Name + #10;
  Give(Hello[1], Length(Hello));
  Take(Mode, 1);
  repeat until not Take(Skipped, 1) or (Skipped = #10);
  while Take(Size, 4) do
  begin
    SetLength(Data, Size);
    if (Size > 0) and not Take(Data[1], Size) then Break;
    case Mode of
      'r':
        begin
          Text := Replaced(Data);
          Offset := Length(Text);
          Give(Offset, 4);
          if Text <> '' then Give(Text[1], Length(Text));
        end;
    else
      if Accepts(Data) then Answer[0] := Ord('1') else Answer[0] := Ord('0');
      Give(Answer, 1);
    end;
  end;
end.
