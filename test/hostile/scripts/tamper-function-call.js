// ends: returned 1$
const call = Function.prototype.call;
try {
  Function.prototype.call = function () {
    for (;;);
  };
} catch {}
try {
  Function.prototype.apply = null;
} catch {}
try {
  Function.prototype.bind = null;
} catch {}
try {
  Function.prototype[Symbol.hasInstance] = null;
} catch {}
function process_message() {
  return (() => 1).call === call ? 1 : 2;
}
