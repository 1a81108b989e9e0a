// ends: ^inject_payload: exceeded max_process_inject of 1 in \w+, [\w.-]+\.js:\d+( \(a loop that began at \d+\))?$
function process_message() {
  inject_payload('t', 'n', {
    toPayload() {
      inject_payload('t', 'm', 'in');
      return 'out';
    },
  });
  return 0;
}
