// ends: (TypeError|ReferenceError|EvalError|not found|is not a function)
function process_message() {
  globalThis.process.exit();
  for (;;);
  return 0;
}
