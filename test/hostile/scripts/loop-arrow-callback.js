// ends: exceeded instruction_limit
function process_message() {
  const again = (n) => (n > 5 ? again(0) : again(n + 1));
  try {
    again(0);
  } catch {
    for (;;) try { again(0); } catch {}
  }
  return 0;
}
