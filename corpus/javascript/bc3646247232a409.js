u9
switch(c󠇠4c){case d:vk𠦳Xᜒu for((뗃oaJ)in np);}