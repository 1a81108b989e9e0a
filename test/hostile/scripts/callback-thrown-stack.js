// ends: exceeded instruction_limit
function process_message() {
  throw {
    get stack() {
      for (;;);
    },
  };
  return 0;
}
