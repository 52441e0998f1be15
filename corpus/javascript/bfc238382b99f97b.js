throw /.?/mgi
var $;