// ends: exceeded memory_limit
// limits: {"instructions":0,"callMs":10000}
function process_message() {
  const a = [];
  for (let i = 0; ; i++) a.push('x'.repeat(1000) + i, JSON.stringify(a.length).padEnd(500, '-'));
  return 0;
}
