function vb(){ꏩdi𝜶
if(si){}}