zំꚟswitch(gutw){case Xf4F:𐅴ꘐ
while(Öt){}}