{ Decoders of Free Pascal over the stream protocol: fpc NAME, one of those in Accepts below. }
program Adapter;
{$mode objfpc}{$H+}

uses SysUtils, BaseUnix;

var
  Name: string;

{ Utf8CodePointLen gives 0 for a sequence that is cut, a number below 0 for one that is wrong. }
function FirstError(const Data: RawByteString): LongInt;
var
  At, Size: SizeInt;
begin
  At := 0;
  while At < Length(Data) do
  begin
    Size := Utf8CodePointLen(PAnsiChar(Data) + At, Length(Data) - At, False);
    if Size <= 0 then Exit(At);
    Inc(At, Size);
  end;
  Result := -1;
end;

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
    'utf8-codepoint-len': Result := FirstError(Data) < 0;
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
  Answer: array[0..4] of Byte;
begin
  Name := ParamStr(1);
  Modes := 'v';
  if Name = 'utf8-decode' then Modes := 'v,r';
  if Name = 'utf8-codepoint-len' then Modes := 'v,p';
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
      'p':
        begin
          { It tells where, not how many bytes are wrong: length 0. }
          Offset := LongWord(FirstError(Data));
          Move(Offset, Answer, 4);
          Answer[4] := 0;
          Give(Answer, 5);
        end;
    else
      if Accepts(Data) then Answer[0] := Ord('1') else Answer[0] := Ord('0');
      Give(Answer, 1);
    end;
  end;
end.
