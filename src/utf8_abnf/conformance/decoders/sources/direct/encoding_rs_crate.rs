use std::io::Read;

fn main() {
    let mut data = vec![];
    std::io::stdin().read_to_end(&mut data).unwrap();
    let accepts = encoding_rs::UTF_8.decode_without_bom_handling_and_without_replacement(&data).is_some();
    std::process::exit(if accepts { 10 } else { 11 })
}
