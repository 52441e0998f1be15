F_𐼰*--F
var 𐞺yp7tౝns𐀼;