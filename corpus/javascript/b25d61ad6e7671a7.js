function 𧳶M(){I0𗱏rD switch(ꚥ𱋣𑙀ㇰ໒){case 𱼐f၉:return 𞹼gzjc63--
var k;}}