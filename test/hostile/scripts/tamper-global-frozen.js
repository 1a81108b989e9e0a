// ends: returned 1$
Object.freeze(globalThis);
function process_message() {
  return 1;
}
