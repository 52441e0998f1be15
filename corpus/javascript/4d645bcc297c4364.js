function gㇿ(){return P>>>=Vr𞹟rDl
try{var n4}catch(ka){throw new e餤}finally{return{𐰀:𐔀ꫝ,}[fa7]|=ዅu꠬g_y}}