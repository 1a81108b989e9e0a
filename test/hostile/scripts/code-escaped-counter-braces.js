// ends: are reserved
// at: load
function process_message() {
  const { $\u{5f}_t: stop } = { $\u{5f}_t: () => 0 };
  for (;;) stop();
}
