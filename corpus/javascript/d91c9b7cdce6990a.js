[Ud,,][dksx]=rotry{throw'j\
\0' .Nˬ솃𞺡2𑏡𩡚4Z8𮦞𞸤3𚿽=P}catch(Xk){debugger}