// ends: not an identifier
// at: load
compile_function(['a){}for(;;);function b('], '');
function process_message() {
  return 0;
}
