// ends: are reserved
// at: load
function process_message() {
  $__n = 1e9;
  return 0;
}
