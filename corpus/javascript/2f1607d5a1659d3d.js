function i距wa(){s̗
block:loop:do fasxyv37ngo9th:{}while(z);}