// ends: (exceeded (instruction_limit|memory_limit)|time limit)
// kind: decoder
function process_message() {
  for (;;) message_writer([{ name: 'a', kind: 'number' }]);
}
