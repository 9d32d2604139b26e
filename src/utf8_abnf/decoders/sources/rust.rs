// std::str::from_utf8 over the stream protocol.
use std::io::{self, BufRead, Read, Write};

fn main() -> io::Result<()> {
    let mut input = io::BufReader::with_capacity(1 << 16, io::stdin());
    let mut output = io::BufWriter::with_capacity(1 << 16, io::stdout());
    writeln!(output, "utf8-abnf 1 modes=v,p,r name=rust-from-utf8")?;
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
            "p" => match std::str::from_utf8(&data) {
                Ok(_) => output.write_all(&[255, 255, 255, 255, 0])?,
                Err(error) => {
                    let start = error.valid_up_to();
                    let length = error.error_len().unwrap_or(data.len() - start);
                    output.write_all(&(start as u32).to_le_bytes())?;
                    output.write_all(&[length as u8])?;
                }
            },
            "r" => {
                let text = String::from_utf8_lossy(&data);
                output.write_all(&(text.len() as u32).to_le_bytes())?;
                output.write_all(text.as_bytes())?;
            }
            _ => output.write_all(if std::str::from_utf8(&data).is_ok() { b"1" } else { b"0" })?,
        }
    }
}
