// Every statement and literal in its less usual forms.
;;; var a; var b = 1, c, d = b, $ = {}, _ = [], ünïcode = 'ü', 变量 = "变", \u0061bc = 0, x\u0079z1 = 2;
var strings = ["", '', "it's", 'say "x"', "\b\f\n\r\t\v\0", '\0', "\x41\u0042\C\ü", "a\
b", '\'', "\"", "\\", "\0\n", '\0 ', "\0\0", "\0'", '</script>', "//", '/*'];
var numbers = [0, 1, 10, 1.5, 1., .5, 1e10, 1E-5, 1.5e+3, .5e1, 0x0, 0XDEADbeef, 9007199254740993];
var regexes = [/a/, /=/, /[/]/, /\//gim, /\u0041/m, /|a|/i, /a||b/, /\12?/, /[\]]/, /[^^]/, /[\b]/, /^$/, /(?:a|b)*?c+?d??/];
var empty = function () {}, named = function fact(n) { return n < 2 ? 1 : n * fact(n - 1) };
var object = {
  a: 1, 'b': 2, "c": 3, 4: 4, .5: 5, get: 6, set: 7, get d() { return this.a }, set d(v) { this.a = v },
  get 'e'() {}, set 5(value) {}, function: 8, null: 9, true: 10, in: 11, get if() { return 1 }
}
object.if.function.null = object['x'][0]; object.get.set = object.in;
if (a) ; else if (b) { } else c;
if (a) if (b) c; else d
for (;;) { break } for (a = 0; ; ) break
for (var e in object) ; for (e in object) {} for (object.a in {}) {}
for (var f = ("a" in object), g = 1; g; g--) ;
for (a in b, c) d
while (0) {}
do a++; while (a < 5) b = 2
do { a-- } while (a)
with (Math) a = cos(PI);
switch (a) {}
switch (a) { default: b; case 1: { c } case 2: }
switch (a) { case 0: b
  case 1: c; d
  case 2: if (d) break
  default: e }
try {} catch (e) {}
try { a } finally { b }
try { throw a
} catch (e) { b } finally { c }
function f1() { return }
function f2() { return; }
function f3() { return a
}
function f4() {
  return
  (a)
}
function f5() { return (a), b } function f6() { return /x/.test(a) } function f7() { return -1 }
function f8(a, b, c) { return a ? b : c } function f9() { return {a: 1}.a } function f10() { return [a, b][0]() }
function f11() { return function () { return this }() } function f12() { return new Date().x = 1 }
function f13() { return a = b = c } function f14() { return a.b += 1, c } function f15() { return++a } function f16() { return(a)++ }
function f17() { return/*x*/a } function f18() { if (a) return; else return b } function f19() { var a; function g() {} return g }
function f20() { "use strict"; return this } function f21() { 'use strict'
  return typeof this }
a = b
+ c
a = b
(c)
a = function () {}
b = 2
a
b
c
a = b + c
;(d)
a = {} / 1
var h = a /* one */ /* two
*/ var i = 1 // three
/* four */ i = 2
a ? b : c ? d : e
a = b ? (c, d) : e || f && g | h ^ i & a == b != c === d !== e < f > g <= h >= a << b >> c >>> d + e - f * g / h % i
a++; b--; ++a; --b; - -a; + +b; - --a; !~-+a; !(a); typeof typeof a; void delete a.b
a++
b
a
--b
if (a) debugger
else b
for (var j = 0; j < 1; j++) a
while (0) a
yes: a
b
{ a } { b
c }
debugger
a.b.c = a.b["c"].d(e, f)[g](h)
(function () { a })()
!function () { a }()
this
null
true
0
"text"
a['b'] = 1, (a) = 2, (a.b) = 3, ((a))++
a b c // the end, without a line's end