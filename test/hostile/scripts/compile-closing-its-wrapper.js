// ends: exceeded instruction_limit
// at: load
compile_function([], '}}),(() => { for (;;); })(),(function () {{');
function process_message() {
  return 0;
}
