// ends: exceeded instruction_limit
// at: load
require('endless');
function process_message() {
  return 0;
  return 0;
}
