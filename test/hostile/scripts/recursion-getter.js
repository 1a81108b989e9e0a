// ends: Maximum call stack size exceeded$
class A {
  get x() {
    return this.x;
  }
}
function process_message() {
  return new A().x;
}
