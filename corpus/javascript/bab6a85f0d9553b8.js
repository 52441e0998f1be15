u switch(aὝౠ𩳜moL𬸽᮫2G){case 𠩗𝆋:惸7f2础6
for(ವᬹJᰒ()[urs]in k){}}