-- Labels of one's own: continue, nested breaks, retries, a state machine.

for i = 1, 10 do
  if i % 2 == 0 then goto skip end
  io.write(i, " ")
  ::skip::
end

for y = 1, 8 do
  for x = 1, 8 do
    local cell = grid and grid[y][x]
    if not cell then
      goto next_cell
    elseif cell == "wall" then
      goto done
    end
    visit(x, y, cell)
    ::next_cell::
  end
end
::done::

do
  local attempts = 0
  ::retry::
  attempts = attempts + 1
  local ok, err = pcall(connect, host)
  if not ok and attempts < 3 then
    goto retry
  end
end

local function lex(text)
  local at, tokens, c = 1, {}, nil

  ::start:: do
    c = text:sub(at, at)
    if c == "" then goto finish end
    if c:match "%s" then at = at + 1 goto start end
    if c:match "%d" then goto number end
    goto word
  end

  ::number:: do
    local digits = text:match("^%d+", at)
    tokens[#tokens + 1] = tonumber(digits)
    at = at + #digits
    goto start
  end

  :: word :: do
    local word = text:match("^%S+", at)
    tokens[#tokens + 1] = word
    at = at + #word
    goto start
  end

  ::finish::
  return tokens
end

local function search(list, wanted)
  local i = 0
  while true do
    i = i + 1
    repeat
      local item = list[i]
      if item == nil then goto missing end
      if item.hidden then break end
      if item.name == wanted then return i, item end
      goto continue
      ::again:: goto again
      ::continue::
    until true
  end
  ::missing::
  return nil
end

while x do goto continue; do break end ::continue:: ; end
do goto a; ::a:: end
goto last
::last::
