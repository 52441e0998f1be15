//! A reducer that knows bytes only: the baseline.

use std::collections::HashSet;

/// Deletes halves of a text, quarters, and so on down to single bytes, as long as it stays
/// interesting, again and again until nothing more can go or `most` runs are spent. Gives what is
/// left and the runs; texts that were tried before are not run again.
pub fn reduce_bytes(
    text: &[u8],
    most: u64,
    mut interesting: impl FnMut(&[u8]) -> bool,
) -> (Vec<u8>, u64) {
    let mut best = text.to_vec();
    let (mut runs, mut seen) = (0, HashSet::new());
    loop {
        let before = best.len();
        let mut size = best.len().div_ceil(2);
        while size > 0 {
            let mut start = 0;
            while start < best.len() {
                let end = best.len().min(start + size);
                let mut shorter = best.clone();
                shorter.drain(start..end);
                if !seen.insert(shorter.clone()) {
                    start = end;
                    continue;
                }
                if runs == most {
                    return (best, runs);
                }
                runs += 1;
                if interesting(&shorter) {
                    best = shorter;
                } else {
                    start = end;
                }
            }
            size /= 2;
        }
        if best.len() == before {
            return (best, runs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_is_left() {
        let has = |text: &[u8]| text.contains(&b'a') && text.contains(&b'z');
        let (left, runs) = reduce_bytes(b"xxxxxxaxxxxxxxxxxxxxxxxxzxxxx", u64::MAX, has);
        assert_eq!(left, b"az");
        assert!(runs > 10);
        let (left, runs) = reduce_bytes(b"xxxxxxaxxxxxxxxxxxxxxxxxzxxxx", 3, has);
        assert!(has(&left) && runs == 3);
    }
}
