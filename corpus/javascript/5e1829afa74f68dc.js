function 𪦕𖩩oྀ(){yadT7Rtnuxq96d𑼃i switch(e){case 𓬜l:𘀲sif(IO)B
else;}}