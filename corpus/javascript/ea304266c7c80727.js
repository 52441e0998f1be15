ॐHg⃰
block:loop:do if(hjKe7)o else;while(xˑdr);