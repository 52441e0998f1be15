function eS(){return omug>y5
 of=D=wq𞀈𮭠W单;}