// ends: (TypeError|Cannot read)
function process_message() {
  Error.prepareStackTrace = (_, sites) => sites;
  const sites = new Error().stack;
  for (const site of sites) {
    const f = site.getFunction();
    if (f !== undefined && f !== process_message) {
      f.arguments;
      f.caller;
    }
  }
  sites[sites.length - 1].getThis().constructor.constructor('return process')();
  return 0;
}
