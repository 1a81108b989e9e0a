// ends: ^(process_message\(\) x+|exceeded memory_limit of 8388608)$
function process_message() {
  throw 'x'.repeat(1 << 28);
}
