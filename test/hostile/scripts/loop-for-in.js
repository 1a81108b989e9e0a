// ends: exceeded instruction_limit
function process_message() {
  for (;;) for (const key in { a: 1 }) key.length;
  return 0;
}
