with GNAT.Decode_UTF8_String; use GNAT.Decode_UTF8_String;
with GNAT.OS_Lib; use GNAT.OS_Lib;

procedure Decode_UTF8_String is
   Data : String (1 .. 9999);
   Size : constant Natural := Read (Standin, Data (1)'Address, Data'Length);
begin
   if Decode_Wide_Wide_String (Data (1 .. Size))'Length <= Size then
      OS_Exit (10);
   end if;
exception
   when Constraint_Error =>
      OS_Exit (11);
end Decode_UTF8_String;
