use std::io::Read;

fn main() {
    let mut data = vec![];
    std::io::stdin().read_to_end(&mut data).unwrap();
    let text = String::from_utf8_lossy(&data);
    std::process::exit(if text.as_bytes() == data { 10 } else { 11 })
}
