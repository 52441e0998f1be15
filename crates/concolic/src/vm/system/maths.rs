//! The functions of C's mathematics that are no instructions.

use super::Call;
use crate::vm::domain::{Domain, Operation};

macro_rules! functions {
    ($name:ident; $($text:literal => |$($x:ident),+| $body:expr),* $(,)?) => {
        match $name {
            $($text => Some(|machine, a| {
                let mut rest = a.iter();
                $(let $x = f64::from_bits(rest.next().map_or(0, |value| value.bits) as u64);)+
                let result = u128::from(f64::to_bits($body));
                let count = a.len() - rest.len();
                Ok(machine.computed(Operation::System, 64, &a[..count], result))
            }),)*
            _ => None,
        }
    };
}

macro_rules! single_functions {
    ($name:ident; $($text:literal => |$($x:ident),+| $body:expr),* $(,)?) => {
        match $name {
            $($text => Some(|machine, a| {
                let mut rest = a.iter();
                $(let $x = f32::from_bits(rest.next().map_or(0, |value| value.bits) as u32);)+
                let result = u128::from(f32::to_bits($body));
                let count = a.len() - rest.len();
                Ok(machine.computed(Operation::System, 32, &a[..count], result))
            }),)*
            _ => None,
        }
    };
}

pub(super) fn lookup<D: Domain>(name: &str) -> Option<Call<D>> {
    let double: Option<Call<D>> = functions!(name;
        "acos" => |x| x.acos(),
        "asin" => |x| x.asin(),
        "atan" => |x| x.atan(),
        "atan2" => |x, y| x.atan2(y),
        "cbrt" => |x| x.cbrt(),
        "cosh" => |x| x.cosh(),
        "sinh" => |x| x.sinh(),
        "tan" => |x| x.tan(),
        "tanh" => |x| x.tanh(),
        "expm1" => |x| x.exp_m1(),
        "log1p" => |x| x.ln_1p(),
        "hypot" => |x, y| x.hypot(y),
        "fmod" => |x, y| x % y,
        "pow" => |x, y| x.powf(y),
        "exp" => |x| x.exp(),
        "exp2" => |x| x.exp2(),
        "log" => |x| x.ln(),
        "log2" => |x| x.log2(),
        "log10" => |x| x.log10(),
        "sin" => |x| x.sin(),
        "cos" => |x| x.cos(),
        "sqrt" => |x| x.sqrt(),
        "floor" => |x| x.floor(),
        "ceil" => |x| x.ceil(),
        "trunc" => |x| x.trunc(),
        "round" => |x| x.round(),
        "rint" => |x| x.round_ties_even(),
        "fma" => |x, y, z| x.mul_add(y, z),
        "fdim" => |x, y| if x.is_nan() || y.is_nan() { x + y } else if x > y { x - y } else { 0.0 },
    );
    let single: Option<Call<D>> = single_functions!(name;
        "acosf" => |x| x.acos(),
        "asinf" => |x| x.asin(),
        "atanf" => |x| x.atan(),
        "atan2f" => |x, y| x.atan2(y),
        "cbrtf" => |x| x.cbrt(),
        "coshf" => |x| x.cosh(),
        "sinhf" => |x| x.sinh(),
        "tanf" => |x| x.tan(),
        "tanhf" => |x| x.tanh(),
        "expm1f" => |x| x.exp_m1(),
        "log1pf" => |x| x.ln_1p(),
        "hypotf" => |x, y| x.hypot(y),
        "fmodf" => |x, y| x % y,
        "powf" => |x, y| x.powf(y),
        "fmaf" => |x, y, z| x.mul_add(y, z),
    );
    double.or(single)
}
