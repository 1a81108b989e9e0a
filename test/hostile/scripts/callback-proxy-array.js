// ends: ^exceeded instruction_limit
const p = new Proxy([], {
  get(t, k) {
    return k === 'length' ? 2 ** 40 : 'x';
  },
});
function process_message() {
  inject_message({ Fields: { a: p } });
  return 0;
}
