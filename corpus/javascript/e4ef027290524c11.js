function tebૹ(){e5oͿuE
with(𬭌ds𑴆);}