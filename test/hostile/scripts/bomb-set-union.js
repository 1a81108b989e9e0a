// ends: ^exceeded (memory_limit of 8388608|the time limit of 1000 ms)( in .*)?$
function process_message() {
  const s = new Set([1]);
  s.union({ size: Infinity, has: () => true, keys: () => ({ next: () => ({ done: false, value: Math.random() }) }) });
  return 0;
}
