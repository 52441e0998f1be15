R switch(𑌨daⳓIXm){case e:䬵o_nM
block:loop:for(var qts𒃪;eNO𝆅tc;f릻R)ᐴN00=v|=wW;}