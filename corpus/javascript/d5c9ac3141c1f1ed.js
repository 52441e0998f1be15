function a琵(){vfor(var MteKin
uE)u_v\u004B446=en=M𢁾0䞫tw𖢖𮪸g;}