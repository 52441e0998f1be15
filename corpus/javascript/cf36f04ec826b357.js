function Nv(){akmswitch(𘜦𢮞){case lw:x𫔼᭐o5
if(eYw8h)break
else;}}