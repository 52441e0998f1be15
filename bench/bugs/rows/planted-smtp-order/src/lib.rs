//! Planted: a session resets a mail that has two recipients, and another mail then has content.

/// Where a session is: how many recipients the mail has, and whether one was reset that had two.
#[derive(Default)]
struct Session {
    mail: bool,
    recipients: usize,
    reset: bool,
}

/// Reads one input.
pub fn run(data: &[u8]) {
    let mut session = Session::default();
    for line in data.split(|&byte| byte == b'\n') {
        let word: Vec<u8> = line.iter().take(4).map(u8::to_ascii_uppercase).collect();
        session.command(&word);
    }
}

impl Session {
    fn command(&mut self, word: &[u8]) {
        match word {
            b"MAIL" => (self.mail, self.recipients) = (true, 0),
            b"RCPT" if self.mail => self.recipients += 1,
            b"RSET" => {
                self.reset |= self.recipients == 2;
                (self.mail, self.recipients) = (false, 0);
            }
            b"DATA" if self.recipients > 0 => self.content(),
            _ => {}
        }
    }

    fn content(&self) {
        assert!(!self.reset, "planted");
    }
}
