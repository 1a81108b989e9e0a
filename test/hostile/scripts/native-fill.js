// ends: ^exceeded the time limit of 1500 ms$
function process_message() {
  return Array.prototype.fill.call({ length: 2 ** 53 - 1 }, 1) ? 1 : 2;
}
