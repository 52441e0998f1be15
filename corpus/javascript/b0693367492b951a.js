function ut0(){funYtcfEu𱾵v𥨯switch(Y){case v𑌓P닒:𘟙lc
for(fd𫈿‿ad().𝔾7퇗 in sw3FMvjxyf);}}