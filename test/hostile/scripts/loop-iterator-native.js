// ends: exceeded instruction_limit
function process_message() {
  const endless = { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 0 }) }) };
  new Set(endless);
  return 0;
}
