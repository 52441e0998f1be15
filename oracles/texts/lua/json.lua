-- A reader and writer of JSON.
local json = { null = setmetatable({}, { __tostring = function() return "null" end }) }

local escapes = {
  ['"'] = '\\"', ["\\"] = "\\\\", ["\b"] = "\\b", ["\f"] = "\\f",
  ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ["\0"] = "\\u0000", ["\x7f"] = "\\u007f",
  ["\u{2028}"] = "\\u2028", ['\z
     '] = '', ["\127\a\v\'"] = "\065bc",
}

local function quote(s)
  return '"' .. s:gsub('[%c"\\]', function(c)
    return escapes[c] or string.format("\\u%04x", c:byte())
  end) .. '"'
end

local encode

local encoders = {
  ["nil"] = function() return "null" end,
  boolean = tostring,
  number = function(n)
    if n ~= n or n == math.huge or n == -math.huge then
      error("not a JSON number: " .. tostring(n), 3)
    end
    return math.type(n) == "integer" and ("%d"):format(n) or ("%.17g"):format(n)
  end,
  string = quote,
  table = function(t, seen, indent)
    if t == json.null then return "null" end
    if seen[t] then error "circular reference" end
    seen[t] = true
    local out, n = {}, #t
    if n > 0 or next(t) == nil then
      for i = 1, n do out[i] = encode(t[i], seen, indent) end
      seen[t] = nil
      return "[" .. table.concat(out, ",") .. "]"
    else
      for k, v in pairs(t) do
        out[#out + 1] = quote(tostring(k)) .. ":" .. encode(v, seen, indent)
      end
      table.sort(out)
      seen[t] = nil
      return "{" .. table.concat(out, ",") .. "}"
    end
  end,
}

function encode(value, seen, indent)
  local encoder = encoders[type(value)]
  if not encoder then error("cannot encode a " .. type(value)) end
  return encoder(value, seen or {}, indent)
end
json.encode = encode

local function decode_error(text, at, message)
  local line, column = 1, 1
  for i = 1, at - 1 do
    column = column + 1
    if text:byte(i) == 0xA then line = line + 1; column = 1 end
  end
  error(("%s at line %d, column %d"):format(message, line, column), 0)
end

function json.decode(text)
  local at <close>, depth = setmetatable({ 1 }, { __close = function() end }), 0
  local value
  local function skip() at[1] = text:find("[^ \t\r\n]", at[1]) or #text + 1 end
  local literals = { t = { "true", true }, f = { "false", false }, n = { "null", json.null } }
  local function read()
    skip()
    local c = text:sub(at[1], at[1])
    local literal = literals[c]
    if literal then
      if text:sub(at[1], at[1] + #literal[1] - 1) ~= literal[1] then
        decode_error(text, at[1], "invalid literal")
      end
      at[1] = at[1] + #literal[1]
      return literal[2]
    elseif c == '"' then
      local from, to, s = text:find('^"([^"\\]*)"', at[1])
      if not from then decode_error(text, at[1], "invalid string") end
      at[1] = to + 1
      return s
    elseif c == "[" or c == "{" then
      local result, i = {}, 0
      at[1], depth = at[1] + 1, depth + 1
      repeat
        skip()
        if text:find("^[%]}]", at[1]) then break end
        i = i + 1
        if c == "[" then result[i] = read()
        else
          local key = read()
          skip()
          at[1] = at[1] + 1
          result[key] = read()
        end
        skip()
        local comma = text:sub(at[1], at[1]) == ","
        if comma then at[1] = at[1] + 1 end
      until not comma
      at[1] = at[1] + 1
      return result
    end
    local number = text:match("^-?%d+%.?%d*[eE]?[+-]?%d*", at[1])
    at[1] = at[1] + #number
    return tonumber(number) or decode_error(text, at[1], "unexpected " .. c)
  end
  value = read()
  return value
end

return json -- no line's end here