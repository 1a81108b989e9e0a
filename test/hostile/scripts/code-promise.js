// ends: Promise is not defined
function process_message() {
  const again = () => Promise.resolve().then(again);
  again();
  return 0;
}
