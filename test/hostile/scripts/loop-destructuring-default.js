// ends: ^exceeded instruction_limit
function process_message() {
  const {
    a = (() => {
      for (;;);
    })(),
  } = {};
  return 0;
}
