// ends: exceeded memory_limit
// limits: {"instructions":0,"callMs":10000}
function process_message() {
  const m = new Map();
  for (let i = 0; ; i++) m.set(i, [i]);
  return 0;
}
