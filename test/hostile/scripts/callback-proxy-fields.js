// ends: ^exceeded memory_limit of 8388608( in .*| at .*)?$
const p = new Proxy([], {
  get(t, k) {
    return k === 'length' ? 2 ** 40 : { name: 'x', value: 1 };
  },
});
function process_message() {
  inject_message({ Fields: p });
  return 0;
}
