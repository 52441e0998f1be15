repeat until"\
";