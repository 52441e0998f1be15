/// How many calls deep a function is that tells of itself, by its backtrace: what `main`, or the driver of a row, calls is one call deep. Closures and
/// what the standard library does between are no calls.
fn depth(trace: &str) -> usize {
    let names = trace.lines().filter_map(|line| line.trim_start().split_once(": ").map(|it| it.1));
    let names = names.skip_while(|name| !name.ends_with("pleach_told")).skip(1);
    let is_begin = |name: &&str| *name == "main" || name.ends_with("::main") || name.starts_with("row::");
    let is_own = |name: &&str| {
        let first = name.trim_start_matches('<');
        let is_of_std = ["std::", "core::", "alloc::", "__"].iter().any(|it| first.starts_with(it));
        !is_of_std && !name.contains("{closure") && !name.contains("{{closure")
    };
    names.take_while(|name| !is_begin(name)).filter(is_own).count()
}
