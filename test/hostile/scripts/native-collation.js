// ends: ^exceeded the time limit of 500 ms( in .*)?$
function process_message() {
  const a = 'ä'.repeat(1 << 20);
  for (;;) a.localeCompare(a + 'x', 'de');
}
