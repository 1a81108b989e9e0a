// ends: returned 1$
function process_message() {
  return [read_message.toString(), inject_message.toString(), process_message.toString()].join().includes('$__') ? 1 : 2;
}
