// ends: exceeded memory_limit
// limits: {"instructions":0,"callMs":10000}
function process_message() {
  for (let i = 0; ; i++) globalThis['g' + i] = new Array(50).fill(i);
  return 0;
}
