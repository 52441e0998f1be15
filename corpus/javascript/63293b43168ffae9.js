s
switch(cy6🯹){case ibi:Mfor(var d𑃨𞹾ੈ84錓4 in Zpf𬫅7rࠖ𑯀4๔);}