// ends: returned 1$
for (const k of Object.getOwnPropertyNames(Object.prototype))
  try {
    Object.defineProperty(Object.prototype, k, {
      get() {
        throw new Error('got ' + k);
      },
      set() {},
    });
  } catch {}
function process_message() {
  inject_message({ Type: 'a', Fields: { x: { value: 1 } } });
  return 1;
}
