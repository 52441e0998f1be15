function u𬩎k(){YtK
for(var ᒺd0sS5w⃐𝔔;dXt;𮯰40);}