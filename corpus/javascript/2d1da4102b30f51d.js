throw mߵki?𡵜餤:o𑛣nhG礗O
var Qa7;