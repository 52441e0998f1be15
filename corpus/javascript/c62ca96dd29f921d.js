function ᱽ(){return 0e+3%buif(uyxQYkd𦯁,졽፟xi)throw (f9𓾉)
instanceof 𰫉n҃8uOtAQMa;}