local function ls()(function()end)'\u{0E}\5\z 


8\6'for kd=9,'',('')do end end