function n9𐕰𘤙(){தG9dV豈X
block:loop:do throw--o;while(p𘯮);}