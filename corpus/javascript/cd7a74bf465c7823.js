gwf༘
block:loop:do try{}catch(\u0024A){}while(mᢀn𗬯Yt);