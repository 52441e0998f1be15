function 𫤐7I(){return typeof 𣴱༷2v
var Fmxੑe;}