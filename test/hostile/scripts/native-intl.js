// ends: ^exceeded (memory_limit|the time limit)
globalThis.kept = [];
function process_message() {
  for (;;) kept.push(new Intl.NumberFormat('de', { style: 'currency', currency: 'EUR' }));
}
