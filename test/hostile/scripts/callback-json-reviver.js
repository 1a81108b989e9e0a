// ends: ^exceeded instruction_limit
function process_message() {
  JSON.parse('[1,2]', function () {
    for (;;);
  });
  return 0;
}
