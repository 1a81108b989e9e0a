// ends: ^exceeded instruction_limit
function process_message() {
  return Iterator.from({ next: () => ({ value: 1, done: false }) }).toArray();
}
