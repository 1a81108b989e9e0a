// ends: ^exceeded (memory_limit of 8388608|the time limit of 1000 ms)( in .*)?$
function process_message() {
  Map.groupBy({ [Symbol.iterator]: () => ({ next: () => ({ value: {}, done: false }) }) }, (x) => x);
  return 0;
}
