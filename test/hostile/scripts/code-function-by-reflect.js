// ends: (EvalError|ReferenceError|TypeError|SyntaxError)
function process_message() {
  Reflect.construct((() => 1).constructor, ['return 1'])();
  for (;;);
  return 0;
}
