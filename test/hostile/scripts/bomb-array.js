// ends: exceeded memory_limit
// limits: {"callMs":10000}
function process_message() {
  const a = [];
  for (;;) a.push(new Array(1000).fill({ x: 1 }));
  return 0;
}
