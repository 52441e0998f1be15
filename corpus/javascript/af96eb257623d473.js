te𦽇aswitch(d){case 𗜟B⃦𐵃:tC if(ttC𛉡)var GdN袎iᢩ𰊍h
else;}