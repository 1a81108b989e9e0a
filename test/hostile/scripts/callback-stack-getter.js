// ends: ^exceeded instruction_limit
function process_message() {
  const e = new Error('x');
  Object.defineProperty(e, 'stack', {
    get() {
      for (;;);
    },
  });
  throw e;
}
