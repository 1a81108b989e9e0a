// ends: ^exceeded instruction_limit
Object.defineProperty(Object.prototype, 'constructor', {
  get() {
    for (;;);
  },
});
globalThis.x = {};
function process_message() {
  return {}.constructor;
}
