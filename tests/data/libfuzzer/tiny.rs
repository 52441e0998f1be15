//! A reader of JSON such as one writes in an hour, with two faults: an escape that the text ends in, and a
//! number that is too large.

/// What a text holds.
#[derive(Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Number(i64),
    Text(String),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
}

/// Reads a text.
pub fn parse(text: &str) -> Result<Value, String> {
    let mut reader = Reader { text: text.as_bytes(), at: 0 };
    let value = reader.value()?;
    reader.blank();
    if reader.at < reader.text.len() { Err(format!("more at {}", reader.at)) } else { Ok(value) }
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    fn blank(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        self.blank();
        let found = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, String> {
        if !self.text[self.at..].starts_with(word.as_bytes()) {
            return Err(format!("no {word} at {}", self.at));
        }
        self.at += word.len();
        Ok(value)
    }

    fn value(&mut self) -> Result<Value, String> {
        self.blank();
        match self.text.get(self.at) {
            Some(b'n') => self.word("null", Value::Null),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'"') => self.text().map(Value::Text),
            Some(b'-' | b'0'..=b'9') => Ok(self.number()),
            Some(b'[') => {
                self.at += 1;
                let mut items = Vec::new();
                while !self.take(b']') {
                    if !items.is_empty() && !self.take(b',') {
                        return Err(format!("no comma at {}", self.at));
                    }
                    items.push(self.value()?);
                }
                Ok(Value::List(items))
            }
            Some(b'{') => {
                self.at += 1;
                let mut members = Vec::new();
                while !self.take(b'}') {
                    if !members.is_empty() && !self.take(b',') {
                        return Err(format!("no comma at {}", self.at));
                    }
                    self.blank();
                    let name = self.text()?;
                    if !self.take(b':') {
                        return Err(format!("no colon at {}", self.at));
                    }
                    members.push((name, self.value()?));
                }
                Ok(Value::Object(members))
            }
            _ => Err(format!("no value at {}", self.at)),
        }
    }

    fn number(&mut self) -> Value {
        let from = self.at;
        while self.text.get(self.at).is_some_and(|byte| b"+-.eE0123456789".contains(byte)) {
            self.at += 1;
        }
        let number = std::str::from_utf8(&self.text[from..self.at]).unwrap();
        let whole = number.split(['.', 'e', 'E']).next().unwrap_or_default();
        if whole.len() < 10 { Value::Number(whole.parse().unwrap_or(0)) } else {
            Value::Number(whole.parse().expect("a number that fits"))
        }
    }

    fn text(&mut self) -> Result<String, String> {
        if !self.take(b'"') {
            return Err(format!("no quote at {}", self.at));
        }
        let mut text = Vec::new();
        loop {
            match self.text.get(self.at) {
                Some(b'"') => break,
                Some(b'\\') if self.text.get(self.at + 1) == Some(&b'u') => {
                    let digits = &self.text[self.at + 2..self.at + 6];
                    let digits = String::from_utf8_lossy(digits);
                    let code = u32::from_str_radix(&digits, 16).map_err(|error| error.to_string())?;
                    let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                    text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                    self.at += 6;
                }
                Some(b'\\') => {
                    text.extend(self.text.get(self.at + 1));
                    self.at += 2;
                }
                Some(&byte) => {
                    text.push(byte);
                    self.at += 1;
                }
                None => return Err("the text ends in a string".into()),
            }
        }
        self.at += 1;
        String::from_utf8(text).map_err(|error| error.to_string())
    }
}
