-- Every literal, operator and statement, in its less usual forms.
local a, b, c <const>, d = 1, 2, 3
local LIMIT <const> = 0xFF
local file <close> = io and io.open("x", 'r') or nil
local x; local f

DEBUG, Level, _ENV.trace = true, 3.14, nil
numbers = { 0, 00, 3, 345, 0xff, 0xBEBADA, 3.0, 3.1416, 314.16e-2, 0.31416E1, 34e1, .5, 5., 5.e3,
  0x0.1E, 0xA23p-4, 0X1.921FB54442D18P+1, 0x.8, 0x8., 0xfP4, 9223372036854775808, 1e308, }
strings = { "alo\n123\"", 'alo\n123"', '\97lo\10\04923"', [[alo
123"]], [==[
alo
123"]==], [===[]==]]===], "\x41\u{48}\u{7FFFFFFF}\u{00000041}", 'a\
b', "\z
   x", "", '', [[]], "\0\00\0001", "--[[ no comment ]]", "üñ" }

x = a + b - c * d / 2 // 3 % 4 ^ 5 .. "s" .. 6 .. 7
x = a & b | c ~ d << 1 >> 2
x = a < b and b <= c or not (c > d) == (d >= a) ~= true
x = - - a + ~ ~ b - #"s" * - -2 ^ -2
x = not not nil, not -#{}, -(1)
x = ((f)); x = (f)(1); x = ("s"):rep(3); x = #f.g[1]:h "i" { j = 1 } [[k]] (l).m
x = 2^-3^2; x = -x^2; x = a.b.c["d"][1].e

f = function() end f = function(...) return ... end
f = function(p, q, ...) local n = select('#', ...) return n, ... end
function f.g.h(i) return i end function f:m(i, ...) return self, i, ... end function g() return; end
function f.g:m() end
f() f{} f"" f'' f[[]] f:g() f.g:h{}:i""
;(f or g)(); (f)().x, f.y, ("z").w = 1, 2
local t = {1, 2; 3, n = 4, [5] = 6, [f()] = f(), f(), ...}
local e = {}
do end do do end end do local a = 1; do local a = a end end
if a then end if a then b() elseif c then else end
if a then return end
if a then elseif b then elseif c then d() else d() end
while a do a = b break end while f() do end
repeat local y = f() until y repeat until true
for i = 1, 2 do end for i = a, b, -c do local i = i end
for k in f do end for k, v in pairs(t), nil, nil do for _, w in v do break end end
for i = 1, 3 do while i do i = nil; if x then break end repeat break until i end end
;;; ; ;
--[[ a long comment
]] a = 1 --[==[ another
]]=] ]==] b = 2 --[=[ ]] ]=]
--[===[ of level three ]]==] ]===] c2 = 3
--[not a long one
---- [[ nor this
--
return a, f(), ...;
