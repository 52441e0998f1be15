//! Names that resemble one that nothing has, for messages.

/// Those of some names that are nearest to a name, at most so many, the nearest first: by their edit distance, where that is at most
/// a quarter of the shorter one's length and one, and something is left of the longer one.
pub fn near<'n>(name: &str, names: impl IntoIterator<Item = &'n str>, most: usize) -> Vec<&'n str> {
    let names = names.into_iter().map(|other| (distance(name, other), other));
    let near = |&(distance, other): &(usize, &str)| {
        let (shorter, longer) = (other.len().min(name.len()), other.len().max(name.len()));
        distance <= 1 + shorter / 4 && distance < longer
    };
    let mut found: Vec<(usize, &str)> = names.filter(near).collect();
    found.sort_unstable();
    found.truncate(most);
    found.into_iter().map(|(_, other)| other).collect()
}

/// The edit distance of two names without regard to case (Wagner and Fischer), and a large one
/// where their lengths alone tell that they are far apart.
fn distance(left: &str, right: &str) -> usize {
    if left.len().abs_diff(right.len()) > 3 || left.len() > 64 {
        return usize::MAX;
    }
    let fold = |byte: u8| byte.to_ascii_lowercase();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.bytes().enumerate() {
            let replaced = diagonal + usize::from(fold(a) != fold(b));
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_levenshtein() {
        for (from, to, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("kitten", "sitting", 3),
            ("ipv6", "IPv4", 1),
            ("date", "date-time", usize::MAX),
        ] {
            assert_eq!(distance(from, to), expected, "{from} {to}");
            assert_eq!(distance(to, from), expected, "{to} {from}");
        }
    }

    #[test]
    fn what_is_near_comes_in_order() {
        let names = ["value", "values", "item", "list"];
        assert_eq!(near("valu", names, 3), ["value", "values"]);
        assert_eq!(near("valuse", names, 3), ["value", "values"]);
        assert_eq!(near("valuse", names, 1), ["value"]);
        assert!(near("start", names, 3).is_empty());
        assert!(near("q", ["e", "f"], 3).is_empty());
    }
}
