function Ln𩪩(){zpdm_
for(;;);}