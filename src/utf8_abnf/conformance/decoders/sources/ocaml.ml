(* Libraries of OCaml over the stream protocol: ocaml NAME, one of those in [accepts] below. *)

(* Where uutf gives bytes that are no character for the first time, and how many. *)
let uutf_error data =
  Uutf.String.fold_utf_8
    (fun first at part ->
      match (first, part) with None, `Malformed bytes -> Some (at, String.length bytes) | _ -> first)
    None data

let sum data = Seq.fold_left (fun sum each -> sum + Char.code each) 0 (String.to_seq data)

let accepts name data =
  match name with
  | "control" -> sum data land 255 < 128
  | "uutf" -> uutf_error data = None
  | _ -> failwith ("there is no decoder " ^ name)

let put_u32 number =
  let bytes = Bytes.create 4 in
  Bytes.set_int32_le bytes 0 (Int32.of_int number);
  print_bytes bytes

let answer name mode data =
  match mode with
  | "p" ->
      let start, length = Option.value (uutf_error data) ~default:(0xFFFFFFFF, 0) in
      put_u32 start;
      print_char (Char.chr (min length 255))
  | _ -> print_char (if accepts name data then '1' else '0')

let () =
  let name = Sys.argv.(1) in
  set_binary_mode_in stdin true;
  set_binary_mode_out stdout true;
  let modes = if name = "uutf" then "v,p" else "v" in
  Printf.printf "utf8-abnf 1 modes=%s name=ocaml-%s\n%!" modes name;
  try
    let mode = input_line stdin in
    while true do
      let size = Int32.to_int (String.get_int32_le (really_input_string stdin 4) 0) in
      answer name mode (really_input_string stdin size);
      (* Nothing tells whether the input has run dry, so every answer leaves at once. *)
      flush stdout
    done
  with End_of_file -> ()
