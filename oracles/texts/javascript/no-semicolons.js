'use strict'

var fs = require('fs')
var path = require('path')
  , util = require('util')

var cache = {}
var hits = 0, misses = 0 // counted apart

module.exports = load
module.exports.stats = function () {
  return { hits: hits, misses: misses }
}

function load (file, done) {
  var full = path.resolve(file)
  if (cache[full]) {
    hits++
    return done(null, cache[full])
  }

  misses++
  fs.readFile(full, 'utf8', function (err, text) {
    if (err) return done(err)
    cache[full] = parse(text)
    done(null, cache[full])
  })
}

function parse (text) {
  var result = {}
  var lines = text.split(/\r?\n/g)
  var line
    , match

  for (var i = 0; i < lines.length; i++) {
    line = lines[i].trim()
    if (!line) continue
    if (line[0] === '#') continue
    match = /^([^=]+?)\s*=\s*(.*)$/.exec(line)
    if (!match) {
      util.log('skipped: ' + line)
      continue
    }
    else result[match[1]] = convert(match[2])
  }

  return result
}

function convert (value) {
  switch (value.toLowerCase()) {
    case 'true':
    case 'yes':
      return true
    case 'false':
    case 'no': return false
    case '':
      value = null
      break
    default:
      if (/^-?\d+$/.test(value)) value = parseInt(value, 10)
      else if (/^-?\d*\.\d+$/.test(value)) value = parseFloat(value)
  }
  return value
}

var queue = []
  , running = false

function next () {
  if (running) return
  running = true
  var job
  while ((job = queue.shift())) job()
  do {
    job = queue.pop()
    if (job) job()
  } while (job)
  running = false
}

;[1, 2, 3].forEach(function (n) {
  queue.push(function () { console.log(n) })
})

;(function () {
  next()
})()

var total = 1
  + 2
  - 3
  * (4)
  / 5

var chain = queue
  .map(function (job) { return job.name })
  .filter(Boolean)
  .join(', ') /* a comment that ends
  the line */ console.log(chain)

total
++hits
typeof total
!hits
{ total = 2 }
if (total) { hits = 1 } else hits = 2
try { next() } catch (e) { throw e }
var last = function () {}
last = total ? hits
             : misses
this.done = true
"a string"
.5
new load
delete cache['x']
void 0
throw new Error('end')
