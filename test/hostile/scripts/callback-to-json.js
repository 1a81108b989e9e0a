// ends: exceeded instruction_limit
function process_message() {
  JSON.stringify({
    toJSON() {
      for (;;);
    },
  });
  return 0;
}
