// ends: returned 1$
const m = require('harmless');
function process_message() {
  m.x = 5;
  return 1;
}
