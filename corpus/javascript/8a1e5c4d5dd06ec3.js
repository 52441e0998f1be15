function p(){y
switch(f){case s𖾐:with(h,𠄌)debugger;}}