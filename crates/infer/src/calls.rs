//! Calls: of functions in the source, of closures, and of what is known without source.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use fxhash::FxHasher;
use syn::{BinOp, Expr, FnArg, GenericArgument, PathArguments, ReturnType, Type};

use super::analysis::Derived;
use super::bodies::address;
use super::interp::{Frame, Interp, doubt};
use super::names::{Found, Kind};
use super::pool::ALL;
use super::source::names_of;
use super::state::{Exit, Outs, State, one};
use super::stop::Flow;
use super::table::Meaning;
use super::value::{Closure, Int, Name, Struct, Target, Text, Value};

/// A type, as far as it decides what is parsed or collected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Hint {
    pub(super) name: String,
    pub(super) inner: Option<Box<Hint>>,
    /// The length of an array, if it is written as a number.
    pub(super) length: Option<usize>,
}

impl Hint {
    pub(super) fn of(of: &Type) -> Self {
        match of {
            Type::Reference(reference) => Self::of(&reference.elem),
            Type::Paren(paren) => Self::of(&paren.elem),
            Type::Group(group) => Self::of(&group.elem),
            Type::Slice(slice) => {
                let inner = Some(Box::new(Self::of(&slice.elem)));
                Self { name: "[]".into(), inner, length: None }
            }
            Type::Array(array) => {
                let length = match &array.len {
                    Expr::Lit(literal) => match &literal.lit {
                        syn::Lit::Int(length) => length.base10_parse().ok(),
                        _ => None,
                    },
                    _ => None,
                };
                Self { name: "[]".into(), inner: Some(Box::new(Self::of(&array.elem))), length }
            }
            Type::Path(path) => {
                let last = path.path.segments.last();
                let inner = last.and_then(|last| match &last.arguments {
                    PathArguments::AngleBracketed(args) => {
                        args.args.iter().find_map(|arg| match arg {
                            GenericArgument::Type(inner) => Some(Box::new(Self::of(inner))),
                            _ => None,
                        })
                    }
                    _ => None,
                });
                Self {
                    name: last.map_or_else(String::new, |last| last.ident.to_string()),
                    inner,
                    length: None,
                }
            }
            _ => Self::default(),
        }
    }

    /// What is in a `Result` or an `Option`.
    pub(super) fn leaf(&self) -> &Self {
        let mut hint = self;
        while let ("Result" | "Option", Some(inner)) = (&*hint.name, &hint.inner) {
            hint = inner;
        }
        hint
    }
}

/// Whether the type that an expression is wanted to have says something of the expressions that it
/// is made of; they are told, or know better.
pub(super) fn hands_on(expr: &Expr) -> bool {
    match expr {
        Expr::Binary(binary) => matches!(
            binary.op,
            BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_)
        ),
        Expr::Array(_)
        | Expr::Block(_)
        | Expr::Call(_)
        | Expr::Const(_)
        | Expr::Group(_)
        | Expr::If(_)
        | Expr::Match(_)
        | Expr::MethodCall(_)
        | Expr::Paren(_)
        | Expr::Reference(_)
        | Expr::Repeat(_)
        | Expr::Try(_)
        | Expr::Unary(_)
        | Expr::Unsafe(_) => true,
        _ => false,
    }
}

/// Whether a value leads to variables of the caller.
pub(super) fn sees_more(value: &Value) -> bool {
    match value {
        Value::Ref(_) | Value::Closure(_) => true,
        Value::Opt(Some(inner)) | Value::Res(Ok(inner) | Err(inner)) => sees_more(inner),
        Value::Tuple(values) | Value::List(values) => values.iter().any(sees_more),
        Value::Struct(of) => of.fields.iter().any(|field| sees_more(&field.1)),
        Value::Iter(iter) | Value::Items(iter) => {
            let mut found = false;
            iter.visit(&mut |value| found |= sees_more(value));
            found
        }
        _ => false,
    }
}

/// Stands for a function of the source, before its number.
pub(super) const OWN: &str = "#own";

/// What is said where a path may mean several functions.
pub(super) fn which(path: &[String]) -> String {
    format!("which function `{}` is is not known", path.join("::"))
}

/// How deep calls may be.
const MAX_CALLS: usize = 48;

impl<'a> Interp<'a> {
    /// Does something where an expression is wanted to have some type.
    pub(super) fn hinted<T>(
        &mut self,
        hint: Option<Hint>,
        run: impl FnOnce(&mut Self) -> Flow<T>,
    ) -> Flow<T> {
        let outer = std::mem::replace(&mut self.hint, hint);
        let done = run(self);
        self.hint = outer;
        done
    }

    /// The type that the function at hand returns; that of a closure is not asked for.
    pub(super) fn returns(&self) -> Option<Hint> {
        let frame = self.frame();
        match &self.krate.get(frame.function).sig.output {
            ReturnType::Type(_, of) if frame.captured.is_none() => Some(Hint::of(of)),
            _ => None,
        }
    }

    pub(super) fn eval_call(
        &mut self,
        state: State,
        call: &'a syn::ExprCall,
        expr: &'a Expr,
    ) -> Flow<Outs> {
        if let Expr::Path(path) = &*call.func {
            let path = names_of(path);
            let local = match &path[..] {
                [name] => self.slot(&state, name),
                _ => None,
            };
            if local.is_none() {
                let keeps = matches!(path.last().map(String::as_str), Some("Ok" | "Some"));
                let hint = self.hint.clone();
                match &hint {
                    Some(of) if keeps && matches!(&*of.name, "Option" | "Result") => {
                        self.hint = of.inner.as_deref().cloned();
                    }
                    _ if keeps => {}
                    _ => self.hint = None,
                }
                let outs = match &call.args.iter().collect::<Vec<_>>()[..] {
                    [arg] if keeps => self.eval(state, arg).map(|outs| {
                        outs.into_iter()
                            .map(|out| {
                                let values = match &out.exit {
                                    Exit::Value(value) => vec![value.clone()],
                                    _ => Vec::new(),
                                };
                                (out, values)
                            })
                            .collect()
                    }),
                    _ => self.eval_all(state, call.args.iter()),
                };
                self.hint = hint;
                return self.then_all(outs?, |interp, state, values| {
                    interp.call_path(state, &path, values, address(expr))
                });
            }
        }
        let exprs = std::iter::once(&*call.func).chain(call.args.iter());
        let outs = self.eval_all(state, exprs)?;
        self.then_all(outs, |interp, state, mut values| {
            let function = values.remove(0);
            interp.apply(state, &function, values)
        })
    }

    /// Calls a function value.
    pub(super) fn apply(&mut self, state: State, function: &Value, args: Vec<Value>) -> Flow<Outs> {
        match self.deref(&state, function.clone()) {
            Value::Closure(closure) => self.call_closure(state, closure, args),
            Value::Function(path) => {
                // What it means was known where it was named.
                let path: Vec<String> = path.iter().map(ToString::to_string).collect();
                let site = address(&self.closures) ^ path.len();
                match &path[..] {
                    [own, number] if own == OWN => {
                        let number = number.parse().expect("a function is kept by its number");
                        self.call(state, number, args, site ^ number)
                    }
                    _ => self.call_outside(state, &path, args),
                }
            }
            Value::Unknown(note) => {
                let mut state = state;
                self.opaque(&mut state, note, &args);
                one(state, Value::Unknown(note))
            }
            // Characters and arrays of them are predicates too, where a pattern is wanted.
            pattern @ (Value::Char(_) | Value::List(_)) => {
                let item = args.into_iter().next().unwrap_or(Value::Gone);
                let item = self.deref(&state, item);
                let values = match pattern {
                    Value::List(values) => (*values).clone(),
                    other => vec![other],
                };
                let mut any = Value::known(false);
                for value in values {
                    let equal = super::numbers::Compare::Equal;
                    let same = self.compare_values(&item, equal, &value)?;
                    any = self.or(&any, &same)?;
                }
                one(state, any)
            }
            _ => {
                let note = self.lost_note("what is called is not followed");
                let mut state = state;
                self.opaque(&mut state, note, &args);
                one(state, Value::Unknown(note))
            }
        }
    }

    fn call_closure(&mut self, state: State, closure: Closure, args: Vec<Value>) -> Flow<Outs> {
        let expr = self.closures[closure.number];
        let outer = self.frame();
        let base = state.vars.len();
        self.frames.push(Frame {
            base,
            captured: Some((closure.from, closure.to)),
            loop_start: None,
            ..outer
        });
        let hint = self.hint.take();
        let outs = self.closure_body(state, expr, args);
        self.hint = hint;
        self.frames.pop();
        let mut outs = outs?;
        self.out_of_scope(&mut outs, base);
        self.bounded(outs)
    }

    fn closure_body(
        &mut self,
        state: State,
        expr: &'a syn::ExprClosure,
        args: Vec<Value>,
    ) -> Flow<Outs> {
        let mut states = vec![state];
        for (pat, value) in expr.inputs.iter().zip(args) {
            let mut next = Vec::new();
            for state in states {
                next.extend(self.matches(state, value.clone(), pat)?.yes);
            }
            states = next;
        }
        let mut outs = Vec::new();
        for state in states {
            for mut out in self.eval(state, &expr.body)? {
                if let Exit::Return(value) = out.exit {
                    out.exit = Exit::Value(value);
                }
                outs.push(out);
            }
        }
        Ok(outs)
    }

    /// Calls what a path means.
    fn call_path(
        &mut self,
        state: State,
        path: &[String],
        args: Vec<Value>,
        site: usize,
    ) -> Flow<Outs> {
        let is_standard = matches!(path, [.., last] if matches!(&**last, "Some" | "Ok" | "Err"));
        match self.krate.found(Kind::Function, path, Some(self.origin())) {
            Found::One(number) if !is_standard => self.call(state, number, args, site),
            Found::Many => {
                let mut state = state;
                let note = self.lost_note(&which(path));
                self.opaque(&mut state, note, &args);
                one(state, Value::Unknown(note))
            }
            _ => self.call_outside(state, path, args),
        }
    }

    /// Calls what is no function of the source.
    fn call_outside(&mut self, state: State, path: &[String], args: Vec<Value>) -> Flow<Outs> {
        let from = self.origin();
        let last = path.last().map_or("", String::as_str);
        // A struct or variant that hides a standard one does not occur.
        match (last, &args[..]) {
            ("Some", [value]) => return one(state, Value::some(value.clone())),
            ("Ok", [value]) => return one(state, Value::ok(value.clone())),
            ("Err", [value]) => return one(state, Value::err(value.clone())),
            // What is good of an item that may fail: the interpreter's own.
            ("#good", [value]) => {
                let value = self.deref(&state, value.clone());
                return one(
                    state,
                    match value {
                        Value::Res(Ok(inner)) => Value::Opt(Some(inner)),
                        Value::Res(Err(_)) => Value::none(),
                        other => other,
                    },
                );
            }
            _ => {}
        }
        let own = match last {
            "Self" => self.krate.owner(from).to_owned(),
            _ => last.to_owned(),
        };
        if self.krate.tuples.contains(&own) {
            let fields = args
                .into_iter()
                .enumerate()
                .map(|(i, value)| (Name::from(i.to_string()), value))
                .collect();
            let made = Struct { name: own.into(), fields };
            return self.made(state, made);
        }
        if let Some(meaning) = self.table.function(path).cloned()
            && let Some(first) = args.first()
        {
            let first = self.deref(&state, first.clone());
            if let Value::Str(text) | Value::Bytes(text) = &first {
                return self.known(state, &meaning, text, &|text| Value::Str(text));
            }
        }
        let owner = path.iter().rev().nth(1).map_or("", String::as_str);
        match (owner, last, &args[..]) {
            (
                "String" | "Vec" | "HashMap" | "HashSet" | "BTreeMap" | "BTreeSet" | "PathBuf",
                "new" | "default",
                [],
            )
            | ("String" | "Vec", "with_capacity", [_]) => {
                let empty = match owner {
                    "String" => Value::Str(Text::default()),
                    "Vec" => Value::List(Rc::new(Vec::new())),
                    _ => self.lost("a collection of this kind is not followed"),
                };
                return one(state, empty);
            }
            (_, "from", [value]) if owner == "char" || self.krate.types.named(owner).is_some() => {
                let value = self.deref(&state, value.clone());
                return self.convert(state, value, owner);
            }
            ("char", "from_u32", [_]) | ("char", "from_digit", [_, _]) => {
                let note = self.lost_note("a character made of a number is not followed");
                let mut state = state;
                // A radix may be too large.
                if let [_, radix] = &args[..]
                    && !matches!(self.deref(&state, radix.clone()), Value::Int(Int::Known(0..=36)))
                {
                    doubt(&mut state, note);
                }
                return one(state, Value::Unknown(note));
            }
            (
                "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64"
                | "isize",
                "from_str_radix",
                [text, radix],
            ) => {
                let (text, radix) =
                    (self.deref(&state, text.clone()), self.deref(&state, radix.clone()));
                let mut state = state;
                if !matches!(radix, Value::Int(Int::Known(2..=36))) {
                    doubt(&mut state, self.lost_note("a radix that is not known may be a panic"));
                }
                return self.parse_radix(state, &text, owner, &radix);
            }
            (_, "from_str", [text]) => {
                let text = self.deref(&state, text.clone());
                let hint = Hint { name: owner.into(), ..Hint::default() };
                return self.parse(state, &text, Some(&hint));
            }
            (_, "drop", _) => return one(state, Value::Unit),
            ("iter", "once", [value]) => {
                let iter = super::value::Iter::Values(Rc::new(vec![value.clone()]));
                return one(state, Value::iter(iter));
            }
            ("Box" | "Rc" | "Arc" | "Cow", "new", [value]) => {
                return one(state, value.clone());
            }
            ("mem", "take", [Value::Ref(target)]) => return self.take_value(state, target),
            ("mem", "replace", [Value::Ref(target), new]) => {
                let old = self.read(&state, target).unwrap_or(Value::Gone);
                let mut state = state;
                self.write(&mut state, target, new.clone());
                return one(state, old);
            }
            _ => {}
        }
        // A method by its path, such as `str::len` or `char::is_alphanumeric`.
        if matches!(
            owner,
            "str"
                | "String"
                | "char"
                | "u8"
                | "u32"
                | "usize"
                | "Option"
                | "Result"
                | "Iterator"
                | "ToString"
                | "ToOwned"
                | "AsRef"
                | "Into"
                | "From"
                | "slice"
                | "Vec"
        ) && let Some((receiver, rest)) = args.split_first()
        {
            if matches!(last, "from" | "into") {
                return one(state, receiver.clone());
            }
            self.receiver = None;
            return self.method(state, receiver.clone(), last, rest.to_vec(), None);
        }
        let message = format!("the function `{}` is not known", path.join("::"));
        let note = self.lost_note(&message);
        let mut state = state;
        self.opaque(&mut state, note, &args);
        if self.derived == Derived::Strict
            && let Some(text) = args.iter().find(|arg| matches!(arg, Value::Str(_)))
        {
            return one(state, text.clone());
        }
        one(state, Value::Unknown(note))
    }

    /// A struct or variant that is made. What does something where it is dropped may do it anywhere
    /// from then on, to all that it was given.
    pub(super) fn made(&mut self, state: State, made: Struct) -> Flow<Outs> {
        if !self.krate.drops(&made.name) {
            return one(state, Value::Struct(Rc::new(made)));
        }
        let note = self.lost_note(&format!("what dropping `{}` does is not followed", made.name));
        let mut state = state;
        self.opaque(&mut state, note, &[Value::Struct(Rc::new(made))]);
        one(state, Value::Unknown(note))
    }

    /// Takes a value and leaves an empty one.
    pub(super) fn take_value(&mut self, state: State, target: &Rc<Target>) -> Flow<Outs> {
        let old = self.read(&state, target).unwrap_or(Value::Gone);
        let empty = match &old {
            Value::Str(_) => Value::Str(Text::default()),
            Value::List(_) | Value::Items(_) => Value::List(Rc::new(Vec::new())),
            Value::Opt(_) => Value::none(),
            Value::Int(_) => Value::int(0),
            Value::Bool(_) => Value::known(false),
            _ => self.lost("what is left behind is not followed"),
        };
        let mut state = state;
        self.write(&mut state, target, empty);
        one(state, old)
    }

    /// Calls a function of the source.
    pub(super) fn call(
        &mut self,
        state: State,
        number: usize,
        args: Vec<Value>,
        site: usize,
    ) -> Flow<Outs> {
        let function = self.krate.get(number);
        let recursive = self.frames.iter().filter(|frame| frame.captured.is_none());
        if recursive.clone().any(|frame| frame.function == number) || self.frames.len() > MAX_CALLS
        {
            let message =
                format!("`{}` calls itself, and is not followed there", function.sig.ident);
            let note = self.lost_note(&message);
            let mut state = state;
            self.opaque(&mut state, note, &args);
            return one(state, Value::Unknown(note));
        }
        self.reached.insert(number);
        let wanted = self.hint.clone();
        let entries = self.entries.iter().map(|entry| entry.0).collect();
        let call = (number, args.clone(), state.lang, state.doubt, entries, wanted);
        let pure = !args.iter().any(sees_more);
        if pure && let Some(known) = self.calls.get(&call) {
            let outs = known.iter().map(|(lang, doubt, value)| {
                State { doubt: *doubt, ..state.within(*lang) }.with(value.clone())
            });
            return Ok(outs.collect());
        }
        let context = self.context;
        let mut hasher = FxHasher::default();
        (context, site, number).hash(&mut hasher);
        self.context = hasher.finish();
        let base = state.vars.len();
        super::uses::read(&mut self.kinds, self.krate, number);
        let end = self.span(function.block).1;
        self.frames.push(Frame {
            function: number,
            constant: None,
            file: function.file,
            base,
            captured: None,
            loop_start: None,
            end,
        });
        let hint = match &function.sig.output {
            ReturnType::Type(_, of) => Some(Hint::of(of)),
            ReturnType::Default => None,
        };
        let outer = std::mem::replace(&mut self.hint, hint);
        let outs = self.function_body(state, number, args);
        self.hint = outer;
        self.frames.pop();
        self.context = context;
        let mut outs = outs?;
        self.out_of_scope(&mut outs, base);
        let outs = self.bounded(outs)?;
        if pure {
            let ends = outs.iter().filter_map(|out| match &out.exit {
                Exit::Value(value) => Some((out.state.lang, out.state.doubt, value.clone())),
                _ => None,
            });
            self.calls.insert(call, ends.collect());
        }
        Ok(outs)
    }

    fn function_body(&mut self, state: State, number: usize, args: Vec<Value>) -> Flow<Outs> {
        let function = self.krate.get(number);
        let mut states = vec![state];
        for (input, value) in function.sig.inputs.iter().zip(args) {
            let mut next = Vec::new();
            for mut state in states {
                match input {
                    FnArg::Receiver(receiver) => {
                        // What is handed over by value is no longer the caller's.
                        let value = match (&receiver.reference, &receiver.colon_token) {
                            (None, None) => self.deref(&state, value.clone()),
                            _ => value.clone(),
                        };
                        state.vars.push(("self".into(), value));
                        next.push(state);
                    }
                    FnArg::Typed(typed) => {
                        next.extend(self.matches(state, value.clone(), &typed.pat)?.yes);
                    }
                }
            }
            states = next;
        }
        let mut outs = Vec::new();
        for state in states {
            for mut out in self.eval_block(state, function.block)? {
                if let Exit::Return(value) = out.exit {
                    out.exit = Exit::Value(value);
                }
                outs.push(out);
            }
        }
        Ok(outs)
    }

    /// What a function of the table makes of a text.
    pub(super) fn known(
        &mut self,
        state: State,
        meaning: &Meaning,
        text: &Text,
        wrap: &dyn Fn(Text) -> Value,
    ) -> Flow<Outs> {
        match meaning {
            Meaning::Same => one(state, wrap(text.clone())),
            Meaning::In(_) | Meaning::Property(_) => {
                let lang = meaning.language(&mut self.pool)?.unwrap_or(ALL);
                let value = match self.text_in(text, lang)? {
                    Some(bool) => Value::Bool(bool),
                    None => self.lost("a condition on a text is not followed"),
                };
                one(state, value)
            }
            Meaning::Fallible { regex, option, own } => {
                let lang = self.pool.regex(regex)?;
                let inner = if *own {
                    wrap(text.clone())
                } else {
                    self.lost("the value of what is parsed here is not followed")
                };
                let (good, bad) = if *option {
                    (Value::some(inner), Value::none())
                } else {
                    let fault = self.lost("what is wrong with what is parsed here is not followed");
                    (Value::ok(inner), Value::err(fault))
                };
                self.fallible(state, text, lang, good, bad)
            }
            Meaning::Integer { min, max } => self.parse_integer(state, text, 10, *min, *max),
            Meaning::Trim { start, end, class } => {
                let set = self.pool.regex(&format!("[{class}]"))?;
                let value = self.trimmed(text, set, *start, *end)?;
                one(state, value.map_or_else(|| self.lost("a trimmed text is not followed"), wrap))
            }
            Meaning::Map { class, to } => {
                let set = self.pool.regex(&format!("[{class}]"))?;
                let images = vec![(self.pool.ranges(set), to.clone())];
                self.mapped(state, text, &images, wrap)
            }
            Meaning::Lower | Meaning::Upper => {
                let lower = *meaning == Meaning::Lower;
                let images = (b'a'..=b'z')
                    .map(|small| {
                        let large = small.to_ascii_uppercase();
                        let (from, to) = if lower { (large, small) } else { (small, large) };
                        (vec![(u32::from(from), u32::from(from))], char::from(to).to_string())
                    })
                    .collect();
                self.mapped(state, text, &images, wrap)
            }
        }
    }

    /// One value where a text is in a language, another where it is not.
    pub(super) fn fallible(
        &mut self,
        state: State,
        text: &Text,
        lang: super::pool::Lang,
        good: Value,
        bad: Value,
    ) -> Flow<Outs> {
        let holds = match self.text_in(text, lang)? {
            Some(bool) => Value::Bool(bool),
            None => self.lost("a condition on a text is not followed"),
        };
        let (yes, no) = self.branch(state, &holds)?;
        let outs = yes.map(|state| state.with(good)).into_iter();
        Ok(outs.chain(no.map(|state| state.with(bad))).collect())
    }

    /// A method of something that is not followed.
    pub(super) fn unknown_method(
        &mut self,
        state: State,
        name: &str,
        receiver: &Value,
        args: &[Value],
    ) -> Flow<Outs> {
        let value = self.deref(&state, receiver.clone());
        let note = match value {
            Value::Unknown(note) => note,
            _ => self.lost_note(&format!("the method `{name}` is not followed here")),
        };
        let mut state = state;
        // What it is called on may be what it writes to.
        let given: Vec<Value> = std::iter::once(receiver).chain(args).cloned().collect();
        self.opaque_method(&mut state, note, name, &given);
        if self.derived == Derived::Strict && matches!(value, Value::Str(_)) {
            doubt(&mut state, note);
            return one(state, value);
        }
        one(state, Value::Unknown(note))
    }
}
