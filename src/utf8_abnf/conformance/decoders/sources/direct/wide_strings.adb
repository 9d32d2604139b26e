with Ada.Strings.UTF_Encoding.Wide_Strings; use Ada.Strings.UTF_Encoding;
with GNAT.OS_Lib; use GNAT.OS_Lib;

procedure Wide_Strings is
   Data : UTF_8_String (1 .. 9999);
   Size : constant Natural := Read (Standin, Data (1)'Address, Data'Length);
begin
   if Ada.Strings.UTF_Encoding.Wide_Strings.Decode (Data (1 .. Size))'Length <= Size then
      OS_Exit (10);
   end if;
exception
   when Encoding_Error =>
      OS_Exit (11);
end Wide_Strings;
