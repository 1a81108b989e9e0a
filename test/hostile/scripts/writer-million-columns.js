// ends: (memory_limit|time limit)
// at: load
// kind: decoder
message_writer(new Array(3e6).fill({ name: 'a', kind: 'slice' }));
function process_message() {
  return 0;
}
