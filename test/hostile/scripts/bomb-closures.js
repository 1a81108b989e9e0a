// ends: exceeded memory_limit
// limits: {"instructions":0,"callMs":10000}
function process_message() {
  let f = () => 0;
  for (;;) {
    const g = f;
    const ballast = new Array(100).fill(g);
    f = () => [g, ballast];
  }
  return 0;
}
