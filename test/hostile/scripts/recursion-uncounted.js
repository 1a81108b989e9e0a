// ends: Maximum call stack size exceeded$
function leaf(x) {
  return x.a + x.a;
}
const o = {};
Object.defineProperty(o, 'a', { get: globalThis.leaf.bind(null, o) });
function process_message() {
  try {
    return leaf(o);
  } catch {
    return leaf(o);
  }
}
