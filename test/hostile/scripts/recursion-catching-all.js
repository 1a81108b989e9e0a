// ends: exceeded (instruction_limit|the time limit)
function process_message() {
  function f() {
    try {
      f();
    } catch {
      f();
    }
  }
  f();
  return 0;
}
