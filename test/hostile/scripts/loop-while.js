// ends: exceeded instruction_limit
function process_message() {
  while (true) {}
  return 0;
}
