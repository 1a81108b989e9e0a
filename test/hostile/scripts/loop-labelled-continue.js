// ends: exceeded instruction_limit
function process_message() {
  outer: for (;;) {
    for (;;) continue outer;
  }
  return 0;
}
