// ends: must return a number
function process_message() {
  return 'fine';
}
