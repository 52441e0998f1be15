sZຣ
block:loop:do if(춷8)𧎃;else try{throw eYQୋ魟}catch(dz){continue}finally{iyH𮮐8v}while(zW);