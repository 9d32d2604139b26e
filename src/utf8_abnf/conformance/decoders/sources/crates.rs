// Crates over the stream protocol: crates NAME, one of those in `decoder` below. It is built with that crate alone.
use std::env;
use std::io::{self, BufRead, Read, Write};

#[cfg(feature = "bstr")]
use bstr::ByteSlice;
#[cfg(feature = "encoding_rs")]
use encoding_rs::DecoderResult;

type Span = (usize, usize); // where the first error is, and how long
type Feed = Box<dyn FnMut(&[u8], bool) -> bool>; // a chunk, and whether it is the last: false once it was rejected

#[derive(Default)]
struct Decoder {
    accepts: Option<fn(&[u8]) -> bool>,
    locates: Option<fn(&[u8]) -> Option<Span>>,
    replaces: Option<fn(&[u8]) -> String>,
    feeds: Option<fn() -> Feed>,
}

impl Decoder {
    fn modes(&self) -> String {
        let parts = [
            (",p", self.locates.is_some()),
            (",r", self.replaces.is_some()),
            (",s", self.feeds.is_some()),
        ];
        let has = parts.iter().filter(|part| part.1).map(|part| part.0);
        "v".to_string() + &has.collect::<String>()
    }
}

fn decoder(name: &str) -> Decoder {
    match name {
        "control" => Decoder {
            accepts: Some(|data| data.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte)) < 128),
            ..Default::default()
        },
        #[cfg(feature = "bstr")]
        "bstr" => Decoder {
            accepts: Some(|data| data.to_str().is_ok()),
            locates: Some(|data| {
                let error = data.to_str().err()?;
                let start = error.valid_up_to();
                Some((start, error.error_len().unwrap_or(data.len() - start)))
            }),
            replaces: Some(|data| data.to_str_lossy().into_owned()),
            ..Default::default()
        },
        #[cfg(feature = "encoding_rs")]
        "encoding_rs" => Decoder {
            accepts: Some(|data| {
                let strict = encoding_rs::UTF_8.decode_without_bom_handling_and_without_replacement(data);
                strict.is_some()
            }),
            replaces: Some(|data| encoding_rs::UTF_8.decode_without_bom_handling(data).0.into_owned()),
            feeds: Some(|| {
                let mut decoder = encoding_rs::UTF_8.new_decoder_without_bom_handling();
                Box::new(move |chunk, last| {
                    let size = decoder.max_utf8_buffer_length_without_replacement(chunk.len()).unwrap();
                    let (result, _, _) = decoder.decode_to_utf8_without_replacement(chunk, &mut vec![0; size], last);
                    result == DecoderResult::InputEmpty
                })
            }),
            ..Default::default()
        },
        #[cfg(feature = "simdutf8")]
        "simdutf8" => Decoder {
            accepts: Some(|data| simdutf8::basic::from_utf8(data).is_ok()),
            locates: Some(|data| {
                let error = simdutf8::compat::from_utf8(data).err()?;
                let start = error.valid_up_to();
                Some((start, error.error_len().unwrap_or(data.len() - start)))
            }),
            ..Default::default()
        },
        #[cfg(feature = "utf-8")]
        "utf-8" => Decoder {
            accepts: Some(|data| utf8::decode(data).is_ok()),
            replaces: Some(|data| {
                let mut text = String::new();
                utf8::LossyDecoder::new(|part| text.push_str(part)).feed(data);
                text
            }),
            ..Default::default()
        },
        _ => panic!("there is no decoder {name}"),
    }
}

fn number(frame: &[u8], at: usize) -> usize {
    u32::from_le_bytes(frame[at..at + 4].try_into().unwrap()) as usize
}

fn stream(mut feed: Feed, frame: &[u8]) -> Vec<u8> {
    let count = number(frame, 0);
    let (mut at, mut good, mut answers) = (4 + 4 * count, true, Vec::new());
    for index in 0..count {
        let end = at + number(frame, 4 + 4 * index);
        good = good && feed(&frame[at..end], false);
        at = end;
        answers.push(if good { b'?' } else { b'0' });
    }
    good = good && feed(b"", true);
    answers.push(if good { b'1' } else { b'0' });
    answers
}

fn main() -> io::Result<()> {
    let name = env::args().nth(1).unwrap();
    let decoder = decoder(&name);
    let mut input = io::BufReader::with_capacity(1 << 16, io::stdin());
    let mut output = io::BufWriter::with_capacity(1 << 16, io::stdout());
    writeln!(output, "utf8-abnf 1 modes={} name=crate-{name}", decoder.modes())?;
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
                let (start, length) = decoder.locates.unwrap()(&data).unwrap_or((u32::MAX as usize, 0));
                output.write_all(&(start as u32).to_le_bytes())?;
                output.write_all(&[length as u8])?;
            }
            "r" => {
                let text = decoder.replaces.unwrap()(&data);
                output.write_all(&(text.len() as u32).to_le_bytes())?;
                output.write_all(text.as_bytes())?;
            }
            "s" => output.write_all(&stream(decoder.feeds.unwrap()(), &data))?,
            _ => output.write_all(if decoder.accepts.unwrap()(&data) { b"1" } else { b"0" })?,
        }
    }
}
