// ends: must return a number$
function process_message() {
  const a = [];
  a.length = 2 ** 32 - 1;
  return a;
}
