// ends: ^inject_message: exceeded max_process_inject of 1 in \w+, [\w.-]+\.js:\d+( \(a loop that began at \d+\))?$
function process_message() {
  const a = Array.from({ length: 1000 }, (_, i) => i);
  a.sort((x, y) => {
    a.length = 0;
    inject_message({ Type: 's' });
    a.push(...Array(1000).keys());
    return y - x;
  });
  return 0;
}
