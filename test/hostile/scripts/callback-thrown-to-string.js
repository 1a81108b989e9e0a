// ends: ^exceeded instruction_limit
function process_message() {
  throw {
    toString() {
      for (;;);
    },
  };
}
