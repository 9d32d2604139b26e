// Adapter for `utf8-abnf test stream:./adapter`.   Build: rustc --edition 2021 -O -o adapter adapter.rs
// Protocol: say hello, read one line with the mode, then answer each frame (length, 4 bytes little-endian; data).
use std::io::{self, BufRead, Read, Write};

fn accepts(data: &[u8]) -> bool {
    // TODO: call your decoder; return whether it accepts data as UTF-8. This example accepts ASCII only.
    data.iter().all(|byte| *byte <= 0x7F)
}

fn main() -> io::Result<()> {
    let mut input = io::BufReader::with_capacity(1 << 16, io::stdin());
    let mut output = io::BufWriter::with_capacity(1 << 16, io::stdout());
    output.write_all(b"utf8-abnf 1 modes=v name=mydecoder version=1\n")?;
    output.flush()?;
    let mut mode = String::new();
    input.read_line(&mut mode)?;
    let mut data = Vec::new();
    loop {
        if input.buffer().len() < 4 {
            output.flush()?; // there may be no more input for now: write the answers
        }
        let mut size = [0u8; 4];
        if input.read_exact(&mut size).is_err() {
            return output.flush();
        }
        data.resize(u32::from_le_bytes(size) as usize, 0);
        if input.buffer().len() < data.len() {
            output.flush()?;
        }
        input.read_exact(&mut data)?;
        output.write_all(if accepts(&data) { b"1" } else { b"0" })?;
    }
}
