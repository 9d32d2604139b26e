--  Decoders of GNAT over the stream protocol: ada_utf8 NAME, one of those in Accepts below.
with Ada.Command_Line;
with Ada.Strings.UTF_Encoding.Wide_Wide_Strings;
with GNAT.Decode_UTF8_String;
with GNAT.OS_Lib; use GNAT.OS_Lib;
with Interfaces; use Interfaces;

procedure Ada_Utf8 is
   Name : constant String := Ada.Command_Line.Argument (1);
   Hello : constant String := "utf8-abnf 1 modes=v name=ada-" & Name & ASCII.LF;
   Finished : exception;

   Input, Output : String (1 .. 65_536);
   First, Last, Filled : Natural := 0;

   procedure Flush is
   begin
      if Filled > 0 and then Write (Standout, Output'Address, Filled) /= Filled then
         raise Finished;
      end if;
      Filled := 0;
   end Flush;

   procedure Put (Item : Character) is
   begin
      if Filled = Output'Last then
         Flush;
      end if;
      Filled := Filled + 1;
      Output (Filled) := Item;
   end Put;

   --  Answers leave before we wait for more input, and only then.
   function Get return Character is
   begin
      if First >= Last then
         Flush;
         Last := Read (Standin, Input'Address, Input'Length);
         First := 0;
         if Last <= 0 then
            raise Finished;
         end if;
      end if;
      First := First + 1;
      return Input (First);
   end Get;

   function Sum (Data : String) return Unsigned_8 is
      Total : Unsigned_8 := 0;
   begin
      for Each of Data loop
         Total := Total + Character'Pos (Each);
      end loop;
      return Total;
   end Sum;

   --  The functions are pure: they are not called at all if nothing hangs on what they return.
   function Accepts (Data : String) return Boolean is
      use Ada.Strings.UTF_Encoding;
   begin
      if Name = "control" then
         return Sum (Data) < 128;
      elsif Name = "wide-wide-strings" then
         return Wide_Wide_Strings.Decode (Data)'Length <= Data'Length;
      elsif Name = "gnat" then
         return GNAT.Decode_UTF8_String.Decode_Wide_Wide_String (Data)'Length <= Data'Length;
      end if;
      raise Program_Error;
   exception
      when Encoding_Error => return False;
      when Constraint_Error =>  --  what GNAT.Decode_UTF8_String promises to raise
         if Name = "gnat" then
            return False;
         end if;
         raise;
   end Accepts;

   Size : Unsigned_32;
   Data : String_Access;
begin
   for Each of Hello loop
      Put (Each);
   end loop;
   while Get /= ASCII.LF loop
      null;
   end loop;
   loop
      Size := 0;
      for Shift in 0 .. 3 loop
         Size := Size or Shift_Left (Unsigned_32 (Character'Pos (Get)), 8 * Shift);
      end loop;
      Data := new String (1 .. Natural (Size));
      for Each of Data.all loop
         Each := Get;
      end loop;
      Put (if Accepts (Data.all) then '1' else '0');
      Free (Data);
   end loop;
exception
   when Finished => null;
end Ada_Utf8;
