let () = set_binary_mode_in stdin true

let data =
  let text = Buffer.create 99 in
  (try while true do Buffer.add_channel text stdin 1 done with End_of_file -> ());
  Buffer.contents text

open CamomileLibrary.UTF8

let () = exit (try validate data; 10 with Malformed_code -> 11)
