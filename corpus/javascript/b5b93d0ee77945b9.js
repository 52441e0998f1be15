throw /(?!|)/m
var B瀍;