function J𑀹(){x
switch(𞸻vs犲g){default:case e$𦷰wKhF:}}