// ends: exceeded memory_limit
// limits: {"instructions":0,"callMs":10000}
function process_message() {
  const m = new Set();
  for (let i = 0; ; i++) m.add('key number ' + i);
  return 0;
}
