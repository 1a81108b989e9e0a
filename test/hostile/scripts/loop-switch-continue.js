// ends: ^exceeded instruction_limit
function process_message() {
  for (;;)
    switch (1) {
      case 1:
        continue;
      default:
        break;
    }
}
