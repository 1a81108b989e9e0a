// ends: (memory_limit|Invalid string length)
function process_message() {
  let s = 'x';
  const kept = [];
  for (;;) {
    s += s;
    kept.push(s.toUpperCase());
  }
  return 0;
}
