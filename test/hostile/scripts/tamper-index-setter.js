// ends: (TypeError|not extensible)
'use strict';
function process_message() {
  Object.defineProperty(Object.prototype, '0', { set() {
    throw 'caught';
  } });
  return 0;
}
