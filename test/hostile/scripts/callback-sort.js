// ends: exceeded instruction_limit
function process_message() {
  [3, 1, 2].sort(() => {
    for (;;);
  });
  return 0;
}
