// ends: (TypeError|not extensible)
function process_message() {
  Object.defineProperty(Array.prototype, '0', { set() {} });
  return 0;
}
