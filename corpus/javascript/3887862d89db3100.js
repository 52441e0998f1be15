ಀ instanceof h
var t1ாeᢄbิvl𑇘b;