// ends: exceeded instruction_limit
function process_message() {
  return new Proxy([], {
    get() {
      for (;;);
    },
  });
  return 0;
}
