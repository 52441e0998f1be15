-- A game's main module, with globals in capitals, as games have them.
WIDTH, HEIGHT = 640, 480
GRAVITY = -9.81
PLAYER = { x = WIDTH / 2, y = 0, vx = 0, vy = 0, lives = 3, score = 0 }
local Enemies, Bullets = {}, {}
local KEYS <const> = { left = 'a', right = 'd', jump = 'space' }

function love.load(args)
  math.randomseed(os.time())
  for i = 1, 5 do
    Enemies[i] = { x = math.random(WIDTH), y = math.random(HEIGHT), alive = true,
                   speed = 20 + math.random() * 30 }
  end
  FONT = love.graphics.newFont(14)
end

local function overlaps(a, b, r) return (a.x - b.x) ^ 2 + (a.y - b.y) ^ 2 < (r or 16) ^ 2 end

function love.update(dt)
  local down = love.keyboard.isDown
  if down(KEYS.left) then PLAYER.vx = -100
  elseif down(KEYS.right) then PLAYER.vx = 100
  else PLAYER.vx = 0 end

  if PLAYER.y > 0 then PLAYER.vy = PLAYER.vy + GRAVITY * dt end
  PLAYER.x, PLAYER.y = PLAYER.x + PLAYER.vx * dt, math.max(0, PLAYER.y + PLAYER.vy * dt)

  for i = #Bullets, 1, -1 do
    local bullet = Bullets[i]
    bullet.y = bullet.y + 300 * dt
    for _, enemy in ipairs(Enemies) do
      if not enemy.alive then goto NEXT end
      if overlaps(bullet, enemy) then
        enemy.alive = false
        PLAYER.score = PLAYER.score + 10
        table.remove(Bullets, i)
        break
      end
      ::NEXT::
    end
    if bullet.y > HEIGHT then table.remove(Bullets, i) end
  end
end

function love.keypressed(key)
  if key == KEYS.jump and PLAYER.y == 0 then PLAYER.vy = 5
  elseif key == "x" then Bullets[#Bullets + 1] = { x = PLAYER.x, y = PLAYER.y }
  elseif key == "escape" then love.event.quit() end
end

function love.draw()
  love.graphics.setFont(FONT)
  love.graphics.print(("score %05d   lives %d"):format(PLAYER.score, PLAYER.lives), 8, 8)
  for _, e in ipairs(Enemies) do if e.alive then love.graphics.circle('fill', e.x, HEIGHT - e.y, 16) end end
  love.graphics.rectangle("line", PLAYER.x - 8, HEIGHT - PLAYER.y - 16, 16, 16);
  (DEBUG and print or function(...) end)("drawn", love.timer.getFPS())
end
