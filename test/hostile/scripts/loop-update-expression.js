// ends: exceeded instruction_limit
function process_message() {
  for (let i = 0; true; i = step(i));
  function step(n) {
    return n + 1;
  }
  return 0;
}
