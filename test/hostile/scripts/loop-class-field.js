// ends: ^exceeded instruction_limit
class A {
  x = (() => {
    for (;;);
  })();
}
function process_message() {
  new A();
  return 0;
}
