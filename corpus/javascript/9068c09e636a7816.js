pbCMhnfswitch(g){case ghdaⳓIXm:e
for(var 𑲏a;d྆ߺwts𒃪;s)var c𝆅tc;}