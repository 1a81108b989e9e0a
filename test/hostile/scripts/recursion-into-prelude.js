// ends: (instruction_limit|the time limit|Maximum call stack)
// kind: decoder
function process_message() {
  let depth = 0;
  function f() {
    depth++;
    try {
      f();
    } catch {
      try {
        inject_message({ Payload: 'x', Fields: { a: [1, 2] } });
      } catch {
        f();
      }
    }
  }
  f();
  for (;;);
  return 0;
}
