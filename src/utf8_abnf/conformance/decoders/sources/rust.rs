// Decoders of Rust's standard library over the stream protocol: rust NAME, one of those in `accepts` below.
use std::env;
use std::io::{self, BufRead, Read, Write};
use std::str::{from_utf8, Utf8Error};

fn accepts(name: &str, data: &[u8]) -> bool {
    match name {
        "control" => data.iter().fold(0u8, |sum, each| sum.wrapping_add(*each)) < 128,
        "from-utf8" => from_utf8(data).is_ok(),
        _ => panic!("{name}"),
    }
}

fn span(error: Utf8Error, size: usize) -> (u32, u8) {
    let start = error.valid_up_to();
    (start as u32, error.error_len().unwrap_or(size - start) as u8)
}

// As its documentation tells to use from_utf8 on a stream: what error_len() says is only cut waits for more.
fn stream(frame: &[u8]) -> Vec<u8> {
    let number = |at: usize| u32::from_le_bytes(frame[at..at + 4].try_into().unwrap()) as usize;
    let count = number(0);
    let (mut at, mut pending, mut wrong, mut answers) = (4 + 4 * count, Vec::new(), false, Vec::new());
    for index in 0..count {
        let end = at + number(4 + 4 * index);
        pending.extend_from_slice(&frame[at..end]);
        at = end;
        let done = match from_utf8(&pending) {
            Ok(_) => pending.len(),
            Err(error) => {
                wrong |= error.error_len().is_some();
                error.valid_up_to()
            }
        };
        pending.drain(..done);
        answers.push(if wrong { b'0' } else { b'?' });
    }
    answers.push(if wrong || !pending.is_empty() { b'0' } else { b'1' });
    answers
}

fn step(answers: &mut Vec<u8>, state: u8, offset: u32, text: Option<&[u8]>) {
    answers.push(state);
    answers.extend_from_slice(&offset.to_le_bytes());
    answers.extend_from_slice(&text.map_or(u32::MAX, |text| text.len() as u32).to_le_bytes());
    answers.extend_from_slice(text.unwrap_or_default());
}

// Mode i, in the same manner: valid_up_to() tells the text and the offset, and there is no decoder to reset.
fn incremental(frame: &[u8]) -> Vec<u8> {
    const NONE: u32 = u32::MAX;
    let number = |at: usize| u32::from_le_bytes(frame[at..at + 4].try_into().unwrap());
    let count = number(0) as usize;
    let (mut at, mut pending, mut taken, mut wrong) = (4 + 4 * count, Vec::new(), 0, false);
    let mut answers = Vec::new();
    for index in 1..=count {
        let (size, held) = (number(4 * index), pending.len());
        if size == NONE {
            let good = !wrong && held == 0;
            step(&mut answers, if good { b'1' } else { b'0' }, if good || wrong { NONE } else { taken as u32 }, None);
            (pending, taken, wrong) = (Vec::new(), 0, false);
            continue;
        }
        if size == NONE - 1 {
            step(&mut answers, b'u', NONE, None);
            continue;
        }
        pending.extend_from_slice(&frame[at..at + size as usize]);
        at += size as usize;
        let (done, is_wrong) = match from_utf8(&pending) {
            Ok(text) => (text.len(), false),
            Err(error) => (error.valid_up_to(), error.error_len().is_some()),
        };
        if wrong || is_wrong {
            step(&mut answers, b'0', if wrong { NONE } else { (taken + done) as u32 }, None);
            wrong = true;
        } else {
            let state = if done == pending.len() { b'1' } else { b'm' };
            step(&mut answers, state, NONE, Some(&pending[..done]));
            pending.drain(..done);
            taken += done;
        }
    }
    answers
}

fn main() -> io::Result<()> {
    let name = env::args().nth(1).unwrap();
    let modes = match name.as_str() {
        "from-utf8" => "v,p,r,s,i",
        _ => "v",
    };
    let mut input = io::BufReader::with_capacity(1 << 16, io::stdin());
    let mut output = io::BufWriter::with_capacity(1 << 16, io::stdout());
    writeln!(output, "utf8-abnf 1 modes={modes} name=rust-{name}")?;
    output.flush()?;
    let mut mode = String::new();
    input.read_line(&mut mode)?;
    let mut data = Vec::new();
    loop {
        if input.buffer().len() < 4 {
            output.flush()?; // the input may have run dry
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
        match mode.trim() {
            "p" => {
                let (start, length) = from_utf8(&data).err().map_or((u32::MAX, 0), |error| span(error, data.len()));
                output.write_all(&start.to_le_bytes())?;
                output.write_all(&[length])?;
            }
            "r" => {
                let text = String::from_utf8_lossy(&data);
                output.write_all(&(text.len() as u32).to_le_bytes())?;
                output.write_all(text.as_bytes())?;
            }
            "s" => output.write_all(&stream(&data))?,
            "i" => output.write_all(&incremental(&data))?,
            _ => output.write_all(if accepts(&name, &data) { b"1" } else { b"0" })?,
        }
    }
}
