// ends: (exceeded (instruction|memory)_limit|time limit)
class A extends RegExp {
  exec() {
    return { index: 0, length: 1, 0: '' };
  }
  get flags() {
    return 'g';
  }
}
function process_message() {
  'x'.matchAll(new A('x', 'g')).next();
  'x'.replace(new A('x', 'g'), '');
  return 0;
}
