//! GreenMail, users in its configuration: `login:password@domain`, the domain being optional.
//!
//! Faulty: the text must have two pieces between colons, so that no password has a colon. Its documentation
//! puts no bound on what passwords are made of.

use std::error::Error;

/// A user of the mail server.
#[derive(Debug, PartialEq)]
pub struct User {
    pub login: String,
    pub password: String,
    pub domain: Option<String>,
}

/// Reads one user.
pub fn parse_user(user: &str) -> Result<User, Box<dyn Error>> {
    let parts: Vec<&str> = user.split(':').collect();
    let [login, secret] = parts[..] else {
        return Err(format!("expected login:password[@domain] but got {user}").into());
    };
    let (password, domain) = match secret.rsplit_once('@') {
        Some((password, domain)) if is_domain(domain) && !password.is_empty() => {
            (password, Some(domain.to_owned()))
        }
        _ => (secret, None),
    };
    if login.is_empty() || login.contains('@') || password.is_empty() {
        return Err(format!("login or password is missing in {user}").into());
    }
    Ok(User { login: login.to_owned(), password: password.to_owned(), domain })
}

fn is_domain(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '.' || c == '-')
}
