// ends: (TypeError|not extensible)
function process_message() {
  Object.defineProperty(Object.prototype, 'toJSON', { value: () => 'forged' });
  return 0;
}
