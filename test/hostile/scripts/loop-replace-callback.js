// ends: exceeded (instruction_limit|memory_limit|the time limit)
function process_message() {
  'x'.repeat(2000000).replace(/x/g, () => '');
  return 0;
}
