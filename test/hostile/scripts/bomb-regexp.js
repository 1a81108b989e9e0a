// ends: (memory_limit|time limit|instruction_limit|Invalid regular|too large)
function process_message() {
  const kept = [];
  for (let i = 0; ; i++) {
    const r = new RegExp('(a{1,50}){1,50}' + i);
    r.test('a'.repeat(100));
    kept.push(r);
  }
  return 0;
}
