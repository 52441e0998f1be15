do for(𮧜usi畿gienu.Z 
in
𬸩a);while(tfgଢ଼d8) var 𧳝k1a𑃹岘ymV︀;