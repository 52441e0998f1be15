repeat until"\
";