// ends: ^exceeded instruction_limit
globalThis.process_message = new Proxy(function () {}, {
  apply() {
    for (;;);
  },
});
