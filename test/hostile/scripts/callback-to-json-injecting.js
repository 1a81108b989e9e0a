// ends: ^inject_message: exceeded max_process_inject of 1 in \w+, [\w.-]+\.js:\d+( \(a loop that began at \d+\))?$
function process_message() {
  const o = {
    toJSON() {
      inject_message({ Type: 'inner' });
      return 1;
    },
  };
  JSON.stringify(o);
  inject_message({ Type: 'outer' });
  return 0;
}
