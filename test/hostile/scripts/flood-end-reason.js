// ends: ^(x+|exceeded memory_limit of 8388608)$
function process_message() {
  return [1, 'x'.repeat(1 << 28)];
}
