// ends: exceeded memory_limit
// limits: {"callMs":10000}
// batches: 40
var kept = [];
function process_message() {
  for (let i = 0; i < 1000; i++) kept.push(new Array(100).fill(i + 0.5));
  return 0;
}
