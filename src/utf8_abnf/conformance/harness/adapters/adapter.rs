// Adapter for `utf8-abnf test stream:./adapter`.   Build: rustc --edition 2021 -O -o adapter adapter.rs
// Protocol: say hello, read one line with the mode, then answer each frame (length, 4 bytes little-endian; data).
use std::io::{self, BufRead, Read, Write};

// [v]
fn accepts(data: &[u8]) -> bool {
    // TODO: call your decoder; return whether it accepts data as UTF-8. This example accepts ASCII only.
    data.iter().all(|byte| *byte <= 0x7F)
}

// [p]
fn first_error(data: &[u8]) -> Option<(u32, u8)> {
    // TODO: return the offset and the length (0: not told) of the first error; None if there is none.
    data.iter().position(|byte| *byte > 0x7F).map(|offset| (offset as u32, 1))
}

// [r]
fn replace(data: &[u8]) -> Option<String> {
    // TODO: return the text, with U+FFFD for errors; None to reject and not replace.
    Some(data.iter().map(|byte| if *byte > 0x7F { '\u{FFFD}' } else { *byte as char }).collect())
}

// [s]
// TODO: a stream of your decoder: feed returns false if the data are certainly wrong by now, finish if they were.
#[derive(Default)]
struct Stream {
    wrong: bool,
}

impl Stream {
    fn feed(&mut self, data: &[u8]) -> bool {
        self.wrong |= data.iter().any(|byte| *byte > 0x7F);
        !self.wrong
    }
    fn finish(self) -> bool {
        !self.wrong
    }
}

fn number(data: &[u8], at: usize) -> usize {
    u32::from_le_bytes([data[at], data[at + 1], data[at + 2], data[at + 3]]) as usize
}

// [end]
fn answer(mode: &str, data: &[u8], output: &mut impl Write) -> io::Result<()> {
    match mode {
        // [v]
        "v" => output.write_all(if accepts(data) { b"1" } else { b"0" })?,
        // [p]
        "p" => {
            let (offset, length) = first_error(data).unwrap_or((u32::MAX, 0));
            output.write_all(&offset.to_le_bytes())?;
            output.write_all(&[length])?;
        }
        // [r]
        "r" => {
            let text = replace(data);
            output.write_all(&text.as_ref().map_or(u32::MAX, |text| text.len() as u32).to_le_bytes())?;
            output.write_all(text.unwrap_or_default().as_bytes())?;
        }
        // [s]
        "s" => {
            let mut stream = Stream::default();
            let count = number(data, 0);
            let mut at = 4 + 4 * count;
            for index in 1..=count {
                let end = at + number(data, 4 * index);
                output.write_all(if stream.feed(&data[at..end]) { b"?" } else { b"0" })?;
                at = end;
            }
            output.write_all(if stream.finish() { b"1" } else { b"0" })?;
        }
        // [end]
        _ => panic!("mode {mode}"),
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let mut input = io::BufReader::with_capacity(1 << 16, io::stdin());
    let mut output = io::BufWriter::with_capacity(1 << 16, io::stdout());
    output.write_all(b"utf8-abnf 1 modes=v,p,r,s name=mydecoder version=1\n")?;
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
        answer(mode.trim_end(), &data, &mut output)?;
    }
}
