use std::io::Read;

fn main() {
    let mut data = vec![];
    std::io::stdin().read_to_end(&mut data).unwrap();
    let accepts = encoding::Encoding::decode(encoding::all::UTF_8, &data, encoding::DecoderTrap::Strict).is_ok();
    std::process::exit(if accepts { 10 } else { 11 })
}
