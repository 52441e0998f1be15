/// What a message such as `3:616263` is worth: a length, and that many bytes in hexadecimal.
pub fn message(text: &str) -> Option<u32> {
    let (length, body) = text.split_once(':')?;
    let body = decode(body)?;
    (body.len() == length.parse::<usize>().ok()?).then(|| record(&body))
}

fn decode(text: &str) -> Option<Vec<u8>> {
    text.as_bytes().chunks(2).map(|two| Some(digit(two[0])? << 4 | digit(*two.get(1)?)?)).collect()
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

fn record(body: &[u8]) -> u32 {
    match *body {
        [b'#', low, high] => share(u16::from_le_bytes([low, high])),
        _ => 0,
    }
}

fn share(parts: u16) -> u32 {
    60_000 / u32::from(parts ^ 1000)
}
