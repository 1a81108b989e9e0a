// ends: (instruction_limit|memory_limit)
// kind: decoder
function process_message() {
  for (;;) inject_message({ Payload: 'x'.repeat(1000) });
  return 0;
}
