એFx$
switch(ͽb7뵧3pR){case K8f:if(q,E)khZocx6𠬿𢄉w𝟕;}