𑼒𰈃pdoᲿR𖄤s switch($3e){case f:xofor(అa뫛T﹍ၢxk.ᢄۤ៣𑃹ⷈ𝑖  in
Os);}