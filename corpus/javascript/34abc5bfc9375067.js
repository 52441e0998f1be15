ss for((𐩠ￚ) in
w5M);