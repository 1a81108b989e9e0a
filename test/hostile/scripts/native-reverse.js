// ends: (time limit|memory_limit)
function process_message() {
  Array.prototype.reverse.call(new Proxy({ length: 2 ** 53 - 1 }, {}));
  return 0;
}
