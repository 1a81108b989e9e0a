// ends: returned 1$
function process_message() {
  inject_message({ Type: '\0', Fields: { '\0': '\0' } });
  return 1;
}
