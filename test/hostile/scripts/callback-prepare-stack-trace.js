// ends: exceeded instruction_limit
function process_message() {
  Error.prepareStackTrace = () => {
    for (;;);
  };
  null.x;
  return 0;
}
