// ends: (exceeded (instruction_limit|memory_limit)|time limit)
// kind: decoder
message_writer(new Proxy([], { get: (_, key) => (key === 'length' ? 1e9 : { name: 'a', kind: 'text' }) }));
// at: load
function process_message() {
  return 0;
}
