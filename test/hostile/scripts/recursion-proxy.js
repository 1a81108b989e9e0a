// ends: Maximum call stack size exceeded$
const p = new Proxy(
  {},
  {
    get(t, k, r) {
      return r[k];
    },
  },
);
function process_message() {
  return p.x;
}
