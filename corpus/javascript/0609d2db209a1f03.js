function 𘟙lc(){do if(𢍰d𫈿‿ad)return ucg㥅er𓩑
else;while(ꇐah) var k𲌑f;}