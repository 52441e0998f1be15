if(xuꝮ𛲞9)var NxbK95
else with(t𑓇ꧯ㙤ww){T}