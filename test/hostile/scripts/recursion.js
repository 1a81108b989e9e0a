// ends: Maximum call stack size exceeded
function process_message() {
  const f = () => f() + 1;
  f();
  return 0;
}
