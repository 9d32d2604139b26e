let () = set_binary_mode_in stdin true

let data =
  let text = Buffer.create 99 in
  (try while true do Buffer.add_channel text stdin 1 done with End_of_file -> ());
  Buffer.contents text

let good before _ part = before && match part with `Uchar _ -> true | `Malformed _ -> false
let () = exit (if Uutf.String.fold_utf_8 good true data then 10 else 11)
