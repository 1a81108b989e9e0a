// ends: ^exceeded instruction_limit
// at: load
export let process_message = (() => {
  for (;;);
})();
