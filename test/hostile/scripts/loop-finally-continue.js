// ends: exceeded instruction_limit
function process_message() {
  a: for (;;)
    try {
      return 0;
    } finally {
      continue a;
    }
}
