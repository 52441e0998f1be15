const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));
const counter = (() => {
  let n = 0;
  return { next: () => ++n, reset() { n = 0; } };
})();
class Shape { name = 'shape'; static kinds = new Set(); area() { return 0; } toString() { return `${this.name}: ${this.area()}`; } }
class Circle extends Shape { constructor(r) { super(); Object.assign(this, { r }); } area() { return Math.PI * this.r ** 2; } }
const shapes = [new Circle(1), new Shape];
for (const [i, shape] of shapes.entries()) {
  switch (shape.constructor) {
    case Circle: { console.log(i, 'circle'); break; }
    case Shape:
    default:
      console.log(`${i}: ${shape}`);
  }
}
const { length, [length - 1]: last } = shapes;
label: { if (last) break label; }
var x = a ? b : c ? d => d : (e, f) => { return e / f / 2; };
/* done */ // really
