// ends: ^exceeded instruction_limit
Error.prepareStackTrace = () => {
  for (;;);
};
function process_message() {
  null.x;
}
