// ends: exceeded (output_limit|instruction_limit|memory_limit)
// kind: decoder
const w = message_writer([{ name: 'a', kind: 'number' }]);
function process_message() {
  w.list(0, new Array(1e6).fill(1));
  w.inject();
  return 0;
}
