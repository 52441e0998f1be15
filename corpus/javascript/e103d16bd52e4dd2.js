function c(){ໆd9xif(𗬳2ˁ)return Hg⃰
else;}