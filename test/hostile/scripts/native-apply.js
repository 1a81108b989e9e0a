// ends: ^exceeded (memory_limit of 8388608|the time limit of 1000 ms)( in .*)?$
function process_message() {
  return Math.max.apply(null, { length: 1e8 }) ? 1 : 2;
}
