// ends: ^exceeded instruction_limit
function process_message() {
  throw new Proxy(
    {},
    {
      get() {
        for (;;);
      },
    },
  );
}
