--𓉿ྟ0e5w&--n===--mR&--𭀃Pp==--g𓑏r2𑁆&--rOꣷ᧕xG!==--g𦂶bw&dஎe𞓱ൎ&qs!=naI&z6y𞂏&t4&𩓅ೳcoB&Rs&𑌲𚿾O&V&d&o&mwஹ&a&a&a&a?a:a
for(a?a:a=a;;);