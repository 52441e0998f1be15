function i𝩋91ᫎQ疝v(){do if(n)var ene
else;while(hY)
var oI;}