//! A message such as `6:djEyMzQ1`: a length and that many bytes in base64, which are a record of fields.

/// What a message says; nothing if it is none.
pub fn post(message: &[u8]) -> Option<u32> {
    let shard = shard(digest(message));
    let colon = message.iter().position(|&byte| byte == b':')?;
    let length: usize = std::str::from_utf8(&message[..colon]).ok()?.parse().ok()?;
    let body = decode(&message[colon + 1..])?;
    (body.len() == length).then(|| record(&body)).flatten().map(|it| it + shard)
}

/// What no solver turns around.
fn digest(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in bytes {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        hash ^= hash >> 29;
    }
    hash
}

/// Which of many shards a message belongs to; it is read whichever that is.
fn shard(digest: u64) -> u32 {
    let (mut rest, mut number) = (digest % 65_536, 0);
    while rest >= 16 {
        rest -= 16;
        number += 1;
    }
    number
}

fn digit(byte: u8) -> Option<u32> {
    let digit = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(digit.into())
}

fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for four in text.chunks_exact(4) {
        let mut all = 0;
        for &byte in four {
            all = all << 6 | digit(byte)?;
        }
        bytes.extend([(all >> 16) as u8, (all >> 8) as u8, all as u8]);
    }
    Some(bytes)
}

#[inline(never)]
fn record(body: &[u8]) -> Option<u32> {
    let (&kind, fields) = body.split_first()?;
    match kind {
        b'v' => value(fields),
        b'w' => Some(u32::from(fields.len() as u8)),
        _ => None,
    }
}

#[inline(never)]
fn value(fields: &[u8]) -> Option<u32> {
    let [first, second, third, fourth, ..] = *fields else { return None };
    if first != b'#' {
        return Some(1);
    }
    if second > third {
        return Some(2);
    }
    share(u16::from_le_bytes([third, fourth]))
}

#[inline(never)]
fn share(parts: u16) -> Option<u32> {
    Some(60_000 / u32::from(parts ^ 0x6a4f))
}
