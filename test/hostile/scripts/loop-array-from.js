// ends: exceeded (instruction_limit|memory_limit)
function process_message() {
  Array.from({ length: 2 ** 31 }, () => 0);
  return 0;
}
