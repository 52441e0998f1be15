//! Directed graphs: what lies on a cycle, and what leads to others.

use crate::rows::Rows;

/// Which nodes of a graph lie on a cycle: members of a strongly connected component of several
/// nodes, or of one with an edge to itself (Tarjan, 1972, with an explicit stack).
#[pleach_unhooked::unhooked]
pub(crate) fn cyclic(edges: &[Vec<u32>]) -> Vec<bool> {
    const NEW: u32 = u32::MAX;
    let mut order = vec![NEW; edges.len()];
    let mut low = vec![0; edges.len()];
    let mut on_path = vec![false; edges.len()];
    let mut cyclic = vec![false; edges.len()];
    let mut path = Vec::new();
    let mut calls: Vec<(u32, usize)> = Vec::new();
    let mut next = 0;
    for root in 0..edges.len() as u32 {
        if order[root as usize] != NEW {
            continue;
        }
        calls.push((root, 0));
        while let Some((node, edge)) = calls.last_mut() {
            let index = *node as usize;
            if *edge == 0 && order[index] == NEW {
                order[index] = next;
                low[index] = next;
                next += 1;
                path.push(*node);
                on_path[index] = true;
            }
            if let Some(&target) = edges[index].get(*edge) {
                *edge += 1;
                let target_index = target as usize;
                if target_index == index {
                    cyclic[index] = true;
                }
                if order[target_index] == NEW {
                    calls.push((target, 0));
                } else if on_path[target_index] {
                    low[index] = low[index].min(order[target_index]);
                }
                continue;
            }
            calls.pop();
            if let Some(&(caller, _)) = calls.last() {
                low[caller as usize] = low[caller as usize].min(low[index]);
            }
            if low[index] == order[index] {
                let base = path.iter().rposition(|&n| n as usize == index).unwrap_or(0);
                let several = path.len() - base > 1;
                for member in path.drain(base..) {
                    on_path[member as usize] = false;
                    cyclic[member as usize] |= several;
                }
            }
        }
    }
    cyclic
}

/// Marks every node from which an edge leads to a marked one, until there is none.
pub(crate) fn spread(edges: &[Vec<u32>], marked: &mut [bool]) {
    let users = edges.iter().zip(0_u32..);
    let users = users.flat_map(|(to, from)| to.iter().map(move |&to| (to as usize, from)));
    let users = Rows::grouped(edges.len(), users);
    let mut queue: Vec<usize> = (0..marked.len()).filter(|&at| marked[at]).collect();
    while let Some(at) = queue.pop() {
        for user in users.row(at).iter().map(|&user| user as usize) {
            if !std::mem::replace(&mut marked[user], true) {
                queue.push(user);
            }
        }
    }
}
