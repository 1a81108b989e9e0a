// ends: ^exceeded memory_limit of 8388608( in .*| at .*)?$
function process_message() {
  const s = new DisposableStack();
  for (;;) s.defer(() => 0);
}
