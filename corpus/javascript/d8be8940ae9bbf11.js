ဿa2().𑎎2𝪄ౄ8Uೱ၂=Cລ6xgU1
var hn𨖗;