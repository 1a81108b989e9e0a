// ends: (time limit|memory_limit|it has ended|instruction_limit)
// rows: 10
const born = Date.now();
function process_message() {
  if (born % 2 === 0) for (;;);
  if (read_message('Payload') === 'line 7') [...'ab'.repeat(3e7)];
  return 0;
}
