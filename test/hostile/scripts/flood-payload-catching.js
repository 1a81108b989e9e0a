// ends: exceeded instruction_limit
function process_message() {
  for (;;) {
    try {
      add_to_payload('x'.repeat(100));
    } catch {}
  }
  return 0;
}
