// ends: (time limit|memory_limit)
// rows: 40
var n = 0;
function process_message() {
  n++;
  inject_message({ Pid: n });
  if (n > 30 || (n > 5 && Math.random() < 0.2)) Array.prototype.fill.call({ length: 2 ** 53 - 1 }, 1);
  return 0;
}
