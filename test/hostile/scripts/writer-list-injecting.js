// ends: (returned 1|TypeError|RangeError)
// kind: decoder
const w = message_writer([{ name: 'a', kind: 'text' }]);
function process_message() {
  const list = ['a', 'b'];
  Object.defineProperty(list, 1, {
    get() {
      w.inject();
      return 'late';
    },
  });
  for (let i = 0; i < 1000; i++) w.list(0, list);
  w.inject();
  return 1;
}
