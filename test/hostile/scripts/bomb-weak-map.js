// ends: ^exceeded (memory_limit of 8388608|the time limit of 1000 ms)( in .*)?$
const w = new WeakMap();
globalThis.keys = [];
function process_message() {
  for (;;) {
    const k = {};
    keys.push(k);
    w.set(k, new Array(100));
  }
}
