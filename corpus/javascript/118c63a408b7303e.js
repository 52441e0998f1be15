B4Km𖾇R𖭙D43lU
block:loop:do try{}catch(of){}while(mVw妣cࠧ89𝔔axb);