l
if(Sy𤭯𦤝ក);else;