v
switch(Fpt){case s𫴗1:ଐs𛅕𐒰𞓮hg do of=YcUk;while(s𓑀wyg𲊓);}