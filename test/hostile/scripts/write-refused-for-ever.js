// kind: output
// ends: ^exceeded instruction_limit of 1000000 in \w+, [\w.-]+\.js:\d+( \(a loop that began at \d+\))?$
const huge = 'x'.repeat(70_000);
function process_message() {
  for (;;) {
    try {
      write_output(huge);
    } catch {
      // Once more.
    }
  }
}
