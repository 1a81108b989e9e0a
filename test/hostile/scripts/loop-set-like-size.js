// ends: ^exceeded instruction_limit
function process_message() {
  return new Set([1]).isSubsetOf({
    get size() {
      for (;;);
    },
    has() {},
    keys() {},
  })
    ? 0
    : 1;
}
