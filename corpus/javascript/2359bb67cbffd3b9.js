function i(){bKeMc0𝟰
switch(𐜬){case k4EG:hQℂ𨳬
try{}catch(of){}}}