use std::io::Read;

fn main() {
    let mut data = vec![];
    std::io::stdin().read_to_end(&mut data).unwrap();
    let read = (&data[..])
        .take(u64::MAX)
        .read_to_string(&mut String::new());
    std::process::exit(if read.is_ok() { 10 } else { 11 })
}
