// Jumps to labels of one's own, in loops, blocks and switches.
function primes(limit) {
  var found = [];
  candidates:
  for (var n = 2; n < limit; n++) {
    for (var i = 0, m = found.length; i < m; i++) {
      if (n % found[i] === 0) continue candidates;
      if (found[i] * found[i] > n) break;
    }
    found.push(n);
  }
  return found;
}

function find(grid, wanted) {
  var at = null;
  outer: for (var y = 0; y < grid.length; y += 1) {
    inner: for (var x in grid[y]) {
      switch (grid[y][x]) {
        case wanted:
          at = { x: x, y: y };
          break outer;
        case -1:
          continue outer;
        case -2:
          break inner;
        case -3: continue
        default:
          break;
      }
    }
  }
  return at
}

function validate(form) {
  var problem;
  check: {
    if (!form.name) { problem = 'name'; break check; }
    if (!form.mail || form.mail.indexOf('@') < 0) { problem = 'mail'; break check }
    return true;
  }
  report(problem);
  return false;
}

function drain(queue) {
  again: do {
    var task = queue.shift();
    while (task) {
      if (task.done) continue again;
      if (task.failed) {
        break again;
      }
      task = task.next;
    }
  } while (queue.length);
}

first: second: $third: while (true) { if (Math.random() < .5) break first; else continue $third }

a: b: for (;;) continue a

block: loop: for (;;) { continue block; }

loop: for (var k = 0; k < 3; k++) try { continue loop } finally { k = k }

_: if (1) break _; else ;
