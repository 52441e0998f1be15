function g2᳨(){y𖾂Tᷥ
block:loop:for(var าgb
inZ్m𒓝𩝈)break;}