//! Planted: a request says that its content is as long as it has fields, two at least.

/// Reads one input.
pub fn run(data: &[u8]) {
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut request = httparse::Request::new(&mut headers);
    if !matches!(request.parse(data), Ok(httparse::Status::Complete(_))) {
        return;
    }
    let count = request.headers.len();
    for header in request.headers.iter() {
        if header.name.eq_ignore_ascii_case("content-length") {
            compare(header.value, count);
        }
    }
}

fn compare(value: &[u8], count: usize) {
    assert!(count < 2 || value != count.to_string().as_bytes(), "planted");
}
