// ends: exceeded memory_limit
// limits: {"callMs":10000}
// batches: 40
var n = 0;
function process_message() {
  for (let i = 0; i < 10000; i++) read_message('Fields[' + 'x'.repeat(50) + n++ + ']');
  return 0;
}
