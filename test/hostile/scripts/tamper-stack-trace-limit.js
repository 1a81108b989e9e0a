// ends: stack-trace-limit\.js:\d+:\d+: TypeError: Cannot read
Error.stackTraceLimit = Infinity;
function f(n) {
  return n === 0 ? null.x : f(n - 1);
}
function process_message() {
  return f(5000);
}
