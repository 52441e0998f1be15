//! A form as a state machine that knows nothing of the grammar: pages, fields, and buttons that are
//! enabled or not. It refuses an event that its state does not allow.

/// What a user does, as far as the form tells it apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    Click(&'static str),
    Enter,
    Escape,
    Close,
    /// Whether it is an address.
    Email(bool),
    Password(Password),
    /// Whether it is more than blanks.
    Name(bool),
}

/// How good a password is. The right one happens to be strong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Password {
    #[default]
    Empty,
    Weak,
    Strong,
    Right,
}

const BUTTONS: [&str; 16] = [
    "sign-in",
    "register",
    "submit",
    "forgot",
    "back",
    "next",
    "terms",
    "newsletter",
    "finish",
    "continue",
    "send",
    "ok",
    "menu",
    "sign-out",
    "confirm",
    "cancel",
];

/// All events.
pub fn events() -> Vec<Event> {
    let passwords = [Password::Empty, Password::Weak, Password::Strong, Password::Right];
    let mut events = vec![Event::Enter, Event::Escape, Event::Close];
    events.extend([true, false].map(Event::Email));
    events.extend([true, false].map(Event::Name));
    events.extend(passwords.map(Event::Password));
    events.extend(BUTTONS.map(Event::Click));
    events
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Page {
    #[default]
    Welcome,
    SignIn,
    Account,
    Profile,
    Registered,
    Reset,
    Sent,
    Home,
    /// Home with a question over it.
    Question,
    Closed,
}

/// The page and what its fields hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Form {
    page: Page,
    email: bool,
    password: Password,
    name: bool,
    terms: bool,
    newsletter: bool,
    menu: bool,
}

impl Form {
    /// The form after an event, where its state allows the event.
    pub fn after(mut self, event: Event) -> Option<Self> {
        match event {
            Event::Close if self.page == Page::Question => return None,
            Event::Close => return self.on(Page::Closed),
            Event::Enter => return self.after(Event::Click(self.default_button()?)),
            Event::Escape if self.page == Page::Home => {
                return self.menu.then_some(Self { menu: false, ..self });
            }
            Event::Escape => return self.after(Event::Click(self.escape_button()?)),
            Event::Email(valid) => match self.page {
                Page::SignIn | Page::Account | Page::Reset => self.email = valid,
                _ => return None,
            },
            Event::Password(password) => match self.page {
                Page::SignIn | Page::Account => self.password = password,
                _ => return None,
            },
            Event::Name(valid) => match self.page {
                Page::Profile => self.name = valid,
                _ => return None,
            },
            Event::Click(button) => return self.click(button),
        }
        Some(self)
    }

    fn click(mut self, button: &str) -> Option<Self> {
        if !self.enabled(button) {
            return None;
        }
        match (self.page, button) {
            (Page::Welcome, "sign-in") => self.fresh(Page::SignIn),
            (Page::Welcome, "register") => self.fresh(Page::Account),
            (Page::SignIn, "submit") if self.password == Password::Right => self.fresh(Page::Home),
            (Page::SignIn, "submit") => {
                self.password = Password::Empty;
                Some(self)
            }
            // The address goes with the user.
            (Page::SignIn, "forgot") => self.on(Page::Reset),
            (Page::SignIn | Page::Account, "back") => self.fresh(Page::Welcome),
            (Page::Account, "next") => self.on(Page::Profile),
            (Page::Profile, "terms") => {
                self.terms = !self.terms;
                Some(self)
            }
            (Page::Profile, "newsletter") => {
                self.newsletter = !self.newsletter;
                Some(self)
            }
            (Page::Profile, "finish") => self.fresh(Page::Registered),
            (Page::Profile, "back") => {
                (self.name, self.terms, self.newsletter) = (false, false, false);
                self.on(Page::Account)
            }
            (Page::Registered, "continue") => self.fresh(Page::Home),
            (Page::Reset, "send") => self.on(Page::Sent),
            (Page::Reset, "back") | (Page::Sent, "ok") => self.fresh(Page::SignIn),
            (Page::Home, "menu") => {
                self.menu = !self.menu;
                Some(self)
            }
            (Page::Home, "sign-out") => self.fresh(Page::Question),
            (Page::Question, "confirm") => self.fresh(Page::Welcome),
            (Page::Question, "cancel") => self.fresh(Page::Home),
            _ => None,
        }
    }

    /// Whether a button, if the page has it, can be clicked.
    fn enabled(self, button: &str) -> bool {
        match button {
            "submit" => self.email && self.password != Password::Empty,
            "next" => self.email && self.password >= Password::Strong,
            "finish" => self.name && self.terms,
            "send" => self.email,
            "sign-out" => self.menu,
            _ => true,
        }
    }

    fn default_button(self) -> Option<&'static str> {
        Some(match self.page {
            Page::SignIn => "submit",
            Page::Account => "next",
            Page::Profile => "finish",
            Page::Registered => "continue",
            Page::Reset => "send",
            Page::Sent => "ok",
            Page::Question => "confirm",
            Page::Welcome | Page::Home | Page::Closed => return None,
        })
    }

    fn escape_button(self) -> Option<&'static str> {
        Some(match self.page {
            Page::SignIn | Page::Account | Page::Profile | Page::Reset => "back",
            Page::Sent => "ok",
            Page::Question => "cancel",
            Page::Welcome | Page::Registered | Page::Home | Page::Closed => return None,
        })
    }

    /// Another page with what the fields hold.
    fn on(self, page: Page) -> Option<Self> {
        (self.page != Page::Closed).then_some(Self { page, ..self })
    }

    /// Another page with empty fields.
    fn fresh(self, page: Page) -> Option<Self> {
        Self::default().on(page)
    }
}

/// The event of a line.
pub fn read(line: &str) -> Result<Event, String> {
    let unknown = || format!("no event: {line:?}");
    let text = |field: &str| line.strip_prefix(field)?.strip_suffix('"');
    if let Some(button) = line.strip_prefix("click ") {
        let button = BUTTONS.into_iter().find(|known| *known == button);
        return button.map(Event::Click).ok_or_else(unknown);
    }
    if let Some(text) = text("fill email \"") {
        return Ok(Event::Email(is_email(text)));
    }
    if let Some(text) = text("fill password \"") {
        return Ok(Event::Password(rate(text)));
    }
    if let Some(text) = text("fill name \"") {
        return Ok(Event::Name(!text.trim().is_empty()));
    }
    match line {
        "key Enter" => Ok(Event::Enter),
        "key Escape" => Ok(Event::Escape),
        "close" => Ok(Event::Close),
        _ => Err(unknown()),
    }
}

/// Text, an at sign, and a domain of labels with dots between them.
fn is_email(text: &str) -> bool {
    match text.split('@').collect::<Vec<_>>()[..] {
        [local, domain] => {
            !local.is_empty() && domain.contains('.') && domain.split('.').all(|l| !l.is_empty())
        }
        _ => false,
    }
}

fn rate(text: &str) -> Password {
    let has = |is: fn(&char) -> bool| text.chars().any(|character| is(&character));
    match text {
        "" => Password::Empty,
        "correct horse 1" => Password::Right,
        _ if text.chars().count() >= 8
            && has(char::is_ascii_digit)
            && has(char::is_ascii_alphabetic) =>
        {
            Password::Strong
        }
        _ => Password::Weak,
    }
}

/// The events of a session, where the form takes each and is closed in the end.
///
/// # Errors
///
/// The first event that it refuses, with its state.
pub fn play(text: &str) -> Result<Vec<Event>, String> {
    let mut form = Form::default();
    let mut events = Vec::new();
    for line in text.lines() {
        let event = read(line)?;
        form = form.after(event).ok_or_else(|| format!("{line:?} is refused by {form:?}"))?;
        events.push(event);
    }
    match form.page {
        Page::Closed => Ok(events),
        page => Err(format!("the session ends on {page:?}")),
    }
}
