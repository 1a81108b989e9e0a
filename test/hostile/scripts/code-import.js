// ends: dynamic imports are not available
// at: load
function process_message() {
  import('node:fs');
  return 0;
}
