// ends: (TypeError|Cannot read)
function process_message() {
  const prelude = process_message.caller;
  prelude.call().constructor;
  return 0;
}
