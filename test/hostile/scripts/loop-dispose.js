// ends: ^exceeded instruction_limit
function process_message() {
  using x = {
    [Symbol.dispose]() {
      for (;;);
    },
  };
  return 0;
}
