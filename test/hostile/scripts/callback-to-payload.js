// ends: exceeded instruction_limit
function process_message() {
  add_to_payload({
    toPayload() {
      for (;;);
    },
  });
  return 0;
}
