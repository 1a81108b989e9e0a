// ends: (time limit|memory_limit|Invalid (string|array) length)
function process_message() {
  Array.prototype.join.call({ length: 2 ** 32 }, 'x'.repeat(10));
  return 0;
}
