// ends: exceeded the time limit
function process_message() {
  Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1);
  return 0;
}
