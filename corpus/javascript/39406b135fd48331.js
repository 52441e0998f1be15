rꯢuJᢨ switch(w){case p:fpWQ
try{}catch(\u004a){}}