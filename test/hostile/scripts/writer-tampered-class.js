// ends: (returned 1|TypeError)
// kind: decoder
const w = message_writer([{ name: 'a', kind: 'text' }]);
function process_message() {
  const methods = Object.getPrototypeOf(w);
  methods.discard = methods.inject = () => {};
  w.text(0, 'x');
  w.inject();
  return 1;
}
