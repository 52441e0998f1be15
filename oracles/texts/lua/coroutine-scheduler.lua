local Scheduler = {}
Scheduler.__index = Scheduler

local unpack = table.unpack or unpack -- 5.1 has the latter

function Scheduler.new(clock)
    return setmetatable({
        clock = clock or os.clock,
        ready = {}, sleeping = {},
        count = 0,
    }, Scheduler)
end

function Scheduler:spawn(fn, ...)
    local thread = coroutine.create(fn)
    self.count = self.count + 1
    self.ready[#self.ready + 1] = { thread = thread, args = table.pack(...) }
    return thread
end

local function earlier(a, b) return a.at < b.at end

function Scheduler:step()
    local now = self.clock()
    table.sort(self.sleeping, earlier)
    while self.sleeping[1] and self.sleeping[1].at <= now do
        local task = table.remove(self.sleeping, 1)
        self.ready[#self.ready+1] = task
    end

    local batch = self.ready
    self.ready = {}
    for _, task in ipairs(batch) do
        local ok, command, value = coroutine.resume(task.thread, unpack(task.args, 1, task.args.n))
        task.args = { n = 0 }
        if not ok then
            io.stderr:write(debug.traceback(task.thread, command), "\n")
            self.count = self.count - 1
            goto continue
        end
        if coroutine.status(task.thread) == "dead" then
            self.count = self.count - 1
        elseif command == "sleep" then
            task.at = now + value
            self.sleeping[#self.sleeping + 1] = task
        else
            self.ready[#self.ready + 1] = task
        end
        ::continue::
    end
    return self.count > 0
end

function Scheduler:run() while self:step() do end end

local function sleep(seconds) coroutine.yield("sleep", seconds) end

local function producer(queue, n)
    return function()
        for i = 1, n do
            queue[#queue + 1] = i
            sleep(i / 100)
        end
        queue.closed = true
    end
end

local function consumer(name, queue)
    return coroutine.wrap(function()
        local taken = 0
        repeat
            local item = table.remove(queue, 1)
            if item then
                taken = taken + 1
                print(("%-10s %3d"):format(name, item))
            else
                coroutine.yield()
            end
        until queue.closed and #queue == 0
        return taken
    end)
end

if not pcall(debug.getlocal, 4, 1) then
    local s, queue = Scheduler.new(), {}
    s:spawn(producer(queue, 5))
    s:spawn(consumer("first", queue)); s:spawn(consumer("second", queue))
    s:run()
end

return Scheduler
