// ends: WebAssembly is not defined
function process_message() {
  new WebAssembly.Memory({ initial: 60000 });
  return 0;
}
