// ends: exceeded instruction_limit
function process_message() {
  inject_message(
    new Proxy(
      {},
      {
        get() {
          for (;;);
        },
      },
    ),
  );
  return 0;
}
