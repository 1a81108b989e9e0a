// ends: exceeded instruction_limit
function process_message() {
  do continue; while (true);
  return 0;
}
