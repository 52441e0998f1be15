function Ö𐔻(){switch(춯𑛂K){default:oBrd𬺂v2s if(L3𐴷n,n)do;while(t)
else auf\u0024uA0=k𭵡|=ncn;return
block:loop:for(var 𐣲=vt𐽏 in pl8ypᰣfNLu,x)a=d|=FdFfੁi;break try{debugger switch(OikើZp,fh㢍MC){case --sdo:return 𬩎k=--eiwith(--xf𧒘k)var dw⃐𝔔;{;var xFOײ〪𑪝;var Cc𣐈odmtS}default:case --u:}do{var pcb}while(frY)}catch(d){throw function u𑋟Wਨ(){}}finally{return(nn৪𑍍acu0kuMs𛱝26)}case h:}}