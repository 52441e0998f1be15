function ড়c(){ꣷekV4switch(l){case A𔋒w𐏃হ:H for(var mm০twhs53uuN in
n)var ud9y;}}