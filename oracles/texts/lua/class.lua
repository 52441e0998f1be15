--[[
  Classes with single inheritance, mixins and metamethods.
  A class is a table; so is what it makes.
]]
local setmetatable, getmetatable = setmetatable, getmetatable
local type <const> = type

local Object = {}
Object.__index = Object
Object.__name = "Object"

VERSION = "1.2.0"

--- Makes a class.
-- @param name  what `tostring` says
-- @param ...   mixins, the last of which wins
function Object:extend(name, ...)
  local class = {}
  for key, value in pairs(self) do
    if key:find("^__") == 1 then class[key] = value end
  end
  class.__index, class.__name, class.super = class, name or 'anonymous', self
  for _, mixin in ipairs { ... } do
    for key, value in next, mixin do
      class[key] = value
    end
  end
  return setmetatable(class, self)
end

function Object:__call(...)
  local object = setmetatable({}, self)
  object:init(...);
  return object
end

function Object:init() end

function Object.is(value, class)
  local meta = getmetatable(value)
  while meta do
    if meta == class then return true end
    meta = getmetatable(meta)
  end
  return false
end

function Object:__tostring()
  return ("<%s at %p>"):format(self.__name, self)
end

local Point = Object:extend "Point"

function Point:init(x, y)
  self.x, self.y = x or 0, y or 0
end

Point.__add = function(a, b) return Point(a.x + b.x, a.y + b.y) end
Point.__sub = function(a, b) return Point(a.x - b.x, a.y - b.y) end
Point.__mul = function(a, k) return type(k) == "number" and Point(a.x * k, a.y * k) or a.x * k.x + a.y * k.y end
Point.__unm = function(a) return Point(-a.x, -a.y) end
Point.__eq  = function(a, b) return a.x == b.x and a.y == b.y end
Point.__lt  = function(a, b) return a.x < b.x or (a.x == b.x and a.y < b.y) end
Point.__len = function(a) return (a.x ^ 2 + a.y ^ 2) ^ 0.5 end
Point.__concat = function(a, b) return tostring(a) .. tostring(b) end

function Point:__index(key)
  return rawget(Point, key) or ({ length = #self, zero = not (self.x ~= 0 or self.y ~= 0) })[key]
end

Points = {
  ORIGIN = Point(0, 0),
  ["unit x"] = Point(1, 0);
  [1] = Point { 1, 2 },
  'text', [[long
text]], [==[with ]] inside]==],
  nested = { { {}, }, },
}

print(Points.ORIGIN, #Points, Points["unit x"].length, (Point(3, 4)).length)

return { Object = Object, Point = Point, VERSION = VERSION }
