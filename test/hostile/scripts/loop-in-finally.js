// ends: exceeded instruction_limit
function process_message() {
  try {
    for (;;);
  } finally {
    for (;;);
  }
  return 0;
}
