function p(){return ''*YtZ좚
do return null||k𑜷dp;while(a,Cbt);}