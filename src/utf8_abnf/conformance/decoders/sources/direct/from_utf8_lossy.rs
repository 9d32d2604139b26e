use std::io::Read;

fn main() {
    let mut data = vec![];
    std::io::stdin().read_to_end(&mut data).unwrap();
    let marks = String::from_utf8_lossy(&data).matches('\u{FFFD}').count();
    let before = data.windows(3).filter(|each| *each == b"\xEF\xBF\xBD").count();
    std::process::exit(if marks > before { 11 } else { 10 })
}
