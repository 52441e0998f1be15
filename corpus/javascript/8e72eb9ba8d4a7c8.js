function rk(){v6Mྖ switch(l){case ug$fpFD𑩛y:𤦲vg if(𬚘𠼏l9q𞹤Yᑑ)debugger
else;}}