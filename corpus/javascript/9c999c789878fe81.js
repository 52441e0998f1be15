--f󠄵3()[--D]
var up𪴋;