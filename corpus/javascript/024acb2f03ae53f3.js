nkY31i3
block:loop:do xef\u005134U=YJ|=ce𑏓Ke𠻺ph𝞨p;while(K);