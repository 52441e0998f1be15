/* A calculator: tokens, precedence climbing, evaluation. */
var Calculator = (function () {
	var TOKEN = /\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+)|([A-Za-z_$][\w$]*)|(\*\*|<<|>>>?|[-+*\/%^&|~!()=,]))/g;
	var SPACE = /[ \t\u00a0\ufeff]+/gm, CLASS = /[^\]\\\/\-\d]/i, EMPTY = /(?:)|[]|[^]/, BACK = /(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\10/;
	var RANGES = /[a-f0-9_.$@!-~]{12,}|[ä-ü]|x{1,3}?|y{10,200}|[\d\-x^]|\cJ|\x41|\u0041|\0|(?=z)|(?!z)|\bword\B/;
	var precedence = { '=': 0, '|': 1, '^': 2, '&': 3, '<<': 4, '>>': 4, '>>>': 4, '+': 5, '-': 5, '*': 6, '/': 6, '%': 6, '**': 7 };

	function tokens(text) {
		var list = [], match, at = TOKEN.lastIndex = 0;
		while (at < text.length && (match = TOKEN.exec(text)) !== null && match.index === at) {
			at = TOKEN.lastIndex;
			list.push(match[1] !== void 0 ? { type: 'number', value: +match[1] }
				: match[2] ? { type: 'name', value: match[2] }
				: { type: 'op', value: match[3] });
		}
		if (at < text.length)
			throw new SyntaxError("unexpected '" + text.charAt(at) + "' at " + (at + 1));
		return list;
	}

	function Calculator(names) {
		this.names = names || { pi: Math.PI, e: Math.E };
		this.stack = [];
	}

	Calculator.prototype.expression = function (list, least) {
		var left = this.unary(list), op, right;
		for (;;) {
			op = list[0];
			if (!op || op.type != 'op' || !(op.value in precedence) || precedence[op.value] < least) break;
			list.shift();
			right = this.expression(list, op.value == '**' || op.value === '=' ? precedence[op.value] : precedence[op.value] + 1);
			left = this.apply(op.value, left, right);
		}
		return left;
	};

	Calculator.prototype.unary = function (list) {
		var token = list.shift(), value;
		if (!token) throw new SyntaxError('unexpected end');
		if (token.type === 'number') return token.value;
		if (token.type === 'name') {
			return list[0] && list[0].value === '(' ? this.call(token.value, list) : this.names[token.value];
		}
		switch (token.value) {
		case '-': return -this.unary(list);
		case '+': return +this.unary(list);
		case '~': return ~ this.unary(list);
		case '!': return this.unary(list) ? 0 : 1;
		case '(':
			value = this.expression(list, 0);
			if (!(token = list.shift()) || token.value !== ')') { throw SyntaxError('`)` is missing'); }
			return value;
		}
		throw new SyntaxError("unexpected " + token.value);
	};

	Calculator.prototype.call = function (name, list) {
		var args = [];
		list.shift();
		if (list[0] && list[0].value !== ')') do args.push(this.expression(list, 0)); while (list[0] && list[0].value === ',' && list.shift());
		list.shift();
		return Math[name].apply(Math, args);
	};

	Calculator.prototype.apply = function (op, a, b) {
		switch (op) {
			case '+': return a + b; case '-': return a - b;
			case '*': return a * b; case '/': return a / b;
			case '%': return a % b; case '**': return Math.pow(a, b);
			case '&': return a & b; case '|': return a | b; case '^': return a ^ b;
			case '<<': return a << b; case '>>': return a >> b; case '>>>': return a >>> b;
			default: { throw new Error; }
		}
	};

	return Calculator;
})();

var calculator = new Calculator, n = 0;
n += 1, n -= 1, n *= 2, n /= 2, n %= 7, n <<= 1, n >>= 1, n >>>= 0, n &= 0xff, n |= 0XAB, n ^= 1e3;
n = n++ + ++n - n-- - --n;
n = a.b[c](d)(e).f[g]++ / 2 / h;
new (foo())(), new foo.bar.Baz(1, 2).qux(), new new X()();
console.log(calculator.expression([], 0) === undefined || 'no' in {} && 1 instanceof Object, [, 1, , 2,], [,,], {}, { a: 1, });
