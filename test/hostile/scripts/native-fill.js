// ends: ^exceeded (memory_limit of 8388608|the time limit of 1000 ms)( in .*)?$
function process_message() {
  return Array.prototype.fill.call({ length: 2 ** 53 - 1 }, 1) ? 1 : 2;
}
