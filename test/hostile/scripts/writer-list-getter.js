// ends: exceeded instruction_limit
// kind: decoder
const w = message_writer([{ name: 'a', kind: 'text' }]);
function process_message() {
  const list = ['a'];
  Object.defineProperty(list, 0, {
    get() {
      for (;;);
    },
  });
  w.list(0, list);
  return 0;
}
