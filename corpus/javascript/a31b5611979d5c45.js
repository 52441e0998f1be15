function r𐨅uੇe(){A
while(sr୫M𤋍C9D𑥐怑n){𩪩}}