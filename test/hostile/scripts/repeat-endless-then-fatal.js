// ends: (time limit|memory_limit)
// rows: 8
// limits: {"instructions":0}
let first = Math.random() < 0.5;
function process_message() {
  if (read_message('Payload') !== 'line 5') return 0;
  if (first) for (;;);
  Array.prototype.fill.call({ length: 2 ** 53 - 1 }, 1);
}
