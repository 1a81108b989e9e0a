// ends: are reserved
// at: load
function process_message() {
  \u0024__n = 1e9;
  for (;;);
}
