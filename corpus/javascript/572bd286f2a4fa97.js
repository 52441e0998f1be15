oaav
switch(𮑍᮸){case ॡSyf:v𞺥dn࡙ rwxknb:;}