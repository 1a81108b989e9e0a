// ends: returned 1$
function process_message() {
  inject_message({ Type: '\ud800', Payload: '\udc00\ud800', Fields: { ['\udfff']: '\ud800' } });
  return 1;
}
