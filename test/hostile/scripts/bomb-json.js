// ends: exceeded memory_limit
// limits: {"callMs":10000}
function process_message() {
  let t = '[1]';
  for (let i = 0; i < 18; i++) t = '[' + t + ',' + t + ']';
  const kept = [];
  for (;;) kept.push(JSON.parse(t));
  return 0;
}
