// ends: exceeded the time limit
// limits: {"callMs":300}
function process_message() {
  Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1);
  return 0;
}
