// ends: exceeded instruction_limit
function process_message() {
  for (;;) {
    try {
      for (;;);
    } catch {
      continue;
    }
  }
  return 0;
}
