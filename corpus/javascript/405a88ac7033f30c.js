if(ৎ)var t7u
else 𐨙;