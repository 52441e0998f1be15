ﯓ୫N簰
if(er𝼀)dxh;else var i;