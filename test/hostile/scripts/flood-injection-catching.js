// ends: exceeded max_process_inject of 1
function process_message() {
  for (;;) {
    try {
      inject_payload('txt', 'n', 'x');
    } catch {}
  }
  return 0;
}
