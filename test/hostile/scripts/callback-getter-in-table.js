// ends: exceeded instruction_limit
function process_message() {
  inject_message({
    get Payload() {
      for (;;);
    },
  });
  return 0;
}
