Wۥ󠆰vswitch(nm14){case yk6v:l
if(f𑣩)oᏽ8Z
else;}