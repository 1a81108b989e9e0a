// ends: proxy that has been revoked$
const { proxy, revoke } = Proxy.revocable([], {});
revoke();
function process_message() {
  return proxy;
}
