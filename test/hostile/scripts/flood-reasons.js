// ends: exceeded memory_limit
// batches: 1
// rows: 500
function process_message() {
  return [-1, 'x'.repeat(1000000) + Math.random()];
  return 0;
}
