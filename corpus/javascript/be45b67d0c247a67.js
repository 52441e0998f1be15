odUcOYk
for(var xFu3N in vﬨ){}