function 𤾾(){b𖫴bv
switch(Za𫽗𲁾ᚨckn𒎙v𠄣){case FT:switch(bnB){}}}