//! Sockets, which end the run: what comes from a network is not modelled.

use super::Call;
use crate::vm::domain::Domain;
use crate::vm::outcome::Stop;

pub(super) fn lookup<D: Domain>(name: &str) -> Option<Call<D>> {
    Some(match name {
        "socket" | "socketpair" | "connect" | "bind" | "listen" | "accept" | "accept4" | "send"
        | "sendto" | "sendmsg" | "recv" | "recvfrom" | "recvmsg" | "getaddrinfo" | "getsockopt"
        | "setsockopt" | "getsockname" | "getpeername" => |_, _| Err(Stop::Socket),
        _ => return None,
    })
}
