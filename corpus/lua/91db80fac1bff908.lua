local function p()while 6 do if 1
then goto continue end::continue::end end