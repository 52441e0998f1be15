do while(Zpf𬫅7rࠖ𑯀4๔)var p߮𓜈;while(u5qꉻi$)
var nevplfyॆpgnlᲐnc𪍪䊿𗎗$;