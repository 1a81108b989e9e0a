import { expect, test } from 'vitest';
import { parseUserAgent } from '../../../../plugins/lib/access/user_agent.ts';

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:86.0) Gecko/20100101 Firefox/86.0', 'Firefox', 86, 'Windows 10'],
  ['Mozilla/5.0 (Linux; Android 11; Pixel 4) Chrome/88.0.4324.181 Mobile Safari/537.36', 'Chrome', 88, 'Android'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 11_2_2) Version/14.0.3 Safari/605.1.15', 'Safari', 605, 'Macintosh'],
  ['Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 5.1; Trident/4.0)', 'MSIE', 8, 'Windows XP'],
  ['Mozilla/5.0 (Windows NT 10.0) Chrome/88.0.4324.190 Safari/537.36 Edg/88.0.705.81', 'Chrome', 88, 'Windows 10'],
  ['Opera/9.70 (Windows NT 6.0) Presto/2.9.160 Version/11.52', 'Opera', 11, 'Windows Vista'],
  ['Opera/9.80 (Android; Opera Mini/36.2/119.132; U; en) Presto/2.12.423 Version/12.16', 'Opera Mini', 12, 'Android'],
  ['Mozilla/5.0 (Mobile; rv:48.0) Gecko/48.0 Firefox/48.0', 'Firefox', 48, 'FirefoxOS'],
  ['Mozilla/5.0 (Windows NT 6.3; Trident/7.0; rv:11.0; Touch) like Gecko', null, null, 'Windows 8.1'],
  ['Mozilla/5.0 (Windows NT 6.2; Win64) AppleWebKit/537.36 Chrome/32.0.1667.0 Safari/537.36', 'Chrome', 32, 'Windows 8'],
  ['Mozilla/5.0 (iPad; CPU OS 6_0) Version/6.0 Mobile/10A5355d Safari/8536.25', 'Safari', 8536, 'iPad'],
  ['Mozilla/5.0 (iPad; U; CPU OS 3_2_1) AppleWebKit/531.21.10 Mobile/7B405', null, null, 'iPad'],
  ['iPod iPad iPhone Android BlackBerry Linux Macintosh', null, null, 'iPod'],
  ['Macintosh Linux', null, null, 'Linux'],
  ['Windows NT 5.0 Windows NT 10.0', null, null, 'Windows 10'],
  ['linux android', null, null, null],
  ['Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0; MSIE; )', 'MSIE', null, 'Windows 7'],
  ['Firefox/29.0 FxSync/1.31.0.20140327113732.desktop', 'Firefox', 29, null],
  ['Opera/9.80 (J2ME/MIDP; Opera Mini/9.80 (S60; Opera Mobi/23.348; U; en) Presto/2.5.25 Version/10.54', 'Opera Mini', 10, null],
  ['Opera/12.02 (Android 4.1; Linux; Opera Mobi/ADR-1111101157; U; en-US) Version/12.02', 'Opera Mobi', 12, 'Android'],
  ['Firefox/x Chrome/y', 'Chrome', null, null],
  ['Googlebot/2.1 (+http://www.google.com/bot.html)', null, null, null],
  ['', null, null, null],
  ['curl/7.74.0', null, null, null],
  ['-', null, null, null],
  ['Chrome', 'Chrome', null, null],
  ['Opera', 'Opera', null, null],
  ['Safari/x', 'Safari', null, null],
])('the user agent %s', (header, browser, version, os) => {
  expect(parseUserAgent(header)).toEqual({ browser, version, os });
});
