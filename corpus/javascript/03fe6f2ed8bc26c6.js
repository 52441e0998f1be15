function m(){return db+l
for(נּ()[f֩]
in tqn𞸲h8,ced𖭒7)return	/[^\xa7C-X	]{0}/gim<it;}