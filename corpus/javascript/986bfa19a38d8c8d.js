function v4hᎏrykkf(){tklOv
block:loop:do if(𞹏);else;while(b𦷉59);}