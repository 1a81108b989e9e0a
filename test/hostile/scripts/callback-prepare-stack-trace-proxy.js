// ends: TypeError: Cannot read properties of null
Error.prepareStackTrace = () =>
  new Proxy([], {
    get() {
      throw 1;
    },
  });
function process_message() {
  null.x;
}
