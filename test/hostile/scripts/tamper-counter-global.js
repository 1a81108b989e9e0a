// ends: exceeded instruction_limit
function process_message() {
  globalThis['$__n'] = 1e9;
  globalThis['$__t'] = () => {};
  Object.defineProperty(globalThis, '$__n', { get: () => 1e9 });
  for (;;);
  return 0;
}
