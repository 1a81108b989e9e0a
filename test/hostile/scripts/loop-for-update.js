// ends: ^exceeded instruction_limit
function process_message() {
  for (; ; (() => 0)());
}
