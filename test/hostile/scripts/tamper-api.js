// ends: exceeded instruction_limit
function process_message() {
  read_message = inject_message = process_message = () => {
    for (;;);
  };
  read_message('Type');
  return 0;
}
