import fc from 'fast-check';
import { expect, test } from 'vitest';
import { currentUserAgent } from '../../../../plugins/lib/access/current_user_agents.ts';
import { decoder } from '../../support/decode.ts';

const WIN = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const KIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const DROID = 'Mozilla/5.0 (Linux; Android 14; Pixel 8)';

test.each<[string, string | null, number | null, string | null]>([
  [`${WIN} ${KIT} Chrome/124.0.0.0 Safari/537.36`, 'Chrome', 124, 'Windows 10'],
  [`${WIN} ${KIT} Chrome/124.0.0.0 Safari/537.36 Edg/124.0.2478.51`, 'Edge', 124, 'Windows 10'],
  [`${WIN} ${KIT} Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763`, 'Edge', 18, 'Windows 10'],
  [`${DROID} ${KIT} Chrome/124.0.0.0 Mobile Safari/537.36 EdgA/124.0.2478.50`, 'Edge Mobile', 124, 'Android'],
  [`${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4.1 Safari/605.1.15`, 'Safari', 17, 'Mac OS X'],
  [`${IPHONE} Version/17.4 Mobile/15E148 Safari/604.1`, 'Mobile Safari', 17, 'iOS'],
  [`${IPHONE} CriOS/124.0.6367.88 Mobile/15E148 Safari/604.1`, 'Chrome Mobile iOS', 124, 'iOS'],
  [`${IPHONE} FxiOS/125.0 Mobile/15E148 Safari/605.1.15`, 'Firefox iOS', 125, 'iOS'],
  [`${IPHONE} Mobile/15E148`, 'Mobile Safari UI/WKWebView', 17, 'iOS'],
  [`${DROID} ${KIT} Chrome/124.0.6367.82 Mobile Safari/537.36`, 'Chrome Mobile', 124, 'Android'],
  [
    `Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) ${KIT} Version/4.0 Chrome/124.0.6367.82 Mobile Safari/537.36`,
    'Chrome Mobile WebView',
    124,
    'Android',
  ],
  [
    `Mozilla/5.0 (Linux; Android 13; SM-S918B) ${KIT} SamsungBrowser/24.0 Chrome/117.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet',
    24,
    'Android',
  ],
  [`${WIN} ${KIT} Chrome/122.0.0.0 Safari/537.36 OPR/108.0.0.0`, 'Opera', 108, 'Windows 10'],
  [`${DROID} ${KIT} Chrome/122.0.0.0 Mobile Safari/537.36 OPR/81.0.0.0`, 'Opera Mobile', 81, 'Android'],
  ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0', 'Firefox', 125, 'Ubuntu'],
  ['Mozilla/5.0 (Android 14; Mobile; rv:125.0) Gecko/125.0 Firefox/125.0', 'Firefox Mobile', 125, 'Android'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${KIT} Chrome/124.0.0.0 Safari/537.36`, 'Chrome', 124, 'Chrome OS'],
  ['Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko', 'IE', 11, 'Windows 7'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot', 2, null],
  [`${DROID} ${KIT} Chrome/124.0.6367.82 Mobile Safari/537.36 (compatible; Googlebot/2.1; +x)`, 'Googlebot', 2, 'Android'],
  ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'bingbot', 2, null],
  [`Mozilla/5.0 ${KIT}; compatible; GPTBot/1.2; +https://openai.com/gptbot)`, 'GPTBot', 1, null],
  ['Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)', 'AhrefsBot', 7, null],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', 'FacebookBot', 1, null],
  [`Mozilla/5.0 (X11; Linux x86_64) ${KIT} HeadlessChrome/124.0.0.0 Safari/537.36`, 'HeadlessChrome', 124, 'Linux'],
  ['curl/8.7.1', 'curl', 8, null],
  ['python-requests/2.31.0', 'Python Requests', 2, null],
  ['Go-http-client/2.0', 'Go-http-client', 2, null],
  ['kube-probe/1.29', 'kube-probe', 1, null],
  ['-', null, null, null],
  ['', null, null, null],
])('%s', (header, browser, version, os) => {
  expect(currentUserAgent(header)).toEqual({ browser, version, os });
});

test('any text is read', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => {
      const { version } = currentUserAgent(`Chrome/${text} Mobile; ${text}`);
      expect(version === null || Number.isFinite(version)).toBe(true);
    }),
  );
});

test('a decoder reads by these rules where its parameter says so', () => {
  const line = `192.0.2.1 - - [05/Mar/2021:13:07:59 +0000] "GET / HTTP/1.1" 200 5 "-" "${WIN} ${KIT} Chrome/124.0.0.0 Safari/537.36 Edg/124.0.1"`;
  const config = { user_agent_transform: true };
  const format = '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"';
  expect(decoder('nginx_access', { ...config, log_format: format })(line)).toMatchObject({ user_agent_browser: 'Chrome' });
  const read = decoder('nginx_access', { ...config, log_format: format, user_agent_rules: 'current' });
  expect(read(line)).toMatchObject({ user_agent_browser: 'Edge', user_agent_version: 124, user_agent_os: 'Windows 10' });
});
