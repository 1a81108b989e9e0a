// ends: ^timer_event\(\) .*Error: no timer$
// at: timer
function process_message() {
  return 0;
}
Object.defineProperty(globalThis, 'timer_event', {
  get() {
    throw new Error('no timer');
  },
});
