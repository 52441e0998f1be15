function hￂ𝩘vtt(){hKZyswitch(d){case PHog:Lvr
with(Py){}}}