// ends: returned 1$
RegExp.prototype.exec = function () {
  for (;;);
};
RegExp.prototype[Symbol.replace] = function () {
  for (;;);
};
function process_message() {
  return 1;
}
