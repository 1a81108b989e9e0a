/**
 * Today's browsers, programs and systems in a User-Agent header. The names are those of the families of uap-core (github.com/ua-parser/uap-core), which many
 * tools share; the expressions are our own. The first expression that fits decides, its group is the major version.
 */
import type { UserAgent } from './user_agent.ts';

type Rules = readonly (readonly [name: string, expression: RegExp])[];

/** A robot says so, or is one of these. */
const ROBOTS: Rules = [
  ['Googlebot-Image', /Googlebot-Image\/(\d+)/],
  ['Googlebot', /Googlebot\/(\d+)/],
  ['bingbot', /bingbot\/(\d+)/i],
  ['Baiduspider', /Baiduspider\/?(\d*)/],
  ['FacebookBot', /facebookexternalhit\/(\d+)|FacebookBot\/(\d+)/i],
  ['Yahoo! Slurp', /Yahoo! Slurp/],
  ['ChatGPT-User', /ChatGPT-User\/(\d+)/],
  ['HeadlessChrome', /HeadlessChrome\/(\d+)/],
  ['PhantomJS', /PhantomJS\/(\d+)/],
];
/** Any other robot by the name that it gives itself. */
const OTHER_ROBOT = /([\w.-]*(?:[Bb]ot|BOT|[Ss]pider|[Cc]rawler|[Ss]craper)(?:-[A-Z]\w*)?)(?:[/ ]v?(\d+)[\w.]*)?(?=[\s;/),]|$)/;

const PROGRAMS: Rules = [
  ['curl', /^curl\/(\d+)/i],
  ['Wget', /^Wget\/(\d+)/i],
  ['Python Requests', /python-requests\/(\d+)/],
  ['Python-urllib', /Python-urllib\/(\d+)/],
  ['Python aiohttp', /aiohttp\/(\d+)/],
  ['python-httpx', /python-httpx\/(\d+)/],
  ['okhttp', /okhttp\/(\d+)/],
  ['Go-http-client', /Go-http-client\/(\d+)/],
  ['Apache-HttpClient', /Apache-HttpClient\/(\d+)/],
  ['Java', /^Java\/(?:1\.)?(\d+)/],
  ['PostmanRuntime', /PostmanRuntime\/(\d+)/],
  ['axios', /axios\/(\d+)/],
  ['node-fetch', /node-fetch\/?(\d*)/],
  ['Prometheus', /Prometheus\/(\d+)/],
  ['kube-probe', /kube-probe\/(\d+)/],
  ['ELB-HealthChecker', /ELB-HealthChecker\/(\d+)/],
  ['GoogleHC', /GoogleHC\/(\d+)/],
  ['libwww-perl', /libwww-perl\/(\d+)/],
  ['PowerShell', /(?:Windows)?PowerShell\/(\d+)/],
];

/** Browsers that also give the names of others come before those. */
const BROWSERS: Rules = [
  ['Edge Mobile', /(?:EdgA|EdgiOS)\/(\d+)/],
  ['Edge', /Edg(?:e|W)?\/(\d+)/],
  ['Opera Mini', /Opera Mini(?:\/(\d+))?|OPiOS\/(\d+)/],
  ['Opera Mobile', /OPR\/(\d+).*Mobile|Mobile.*OPR\/(\d+)|Opera Mobi.*Version\/(\d+)/],
  ['Opera', /OPR\/(\d+)|Opera.*Version\/(\d+)|Opera[/ ](\d+)/],
  ['Samsung Internet', /SamsungBrowser\/(\d+)/],
  ['Yandex Browser', /YaBrowser\/(\d+)/],
  ['UC Browser', /UCBrowser\/(\d+)/],
  ['QQ Browser', /MQQBrowser\/(\d+)|QQBrowser\/(\d+)/],
  ['MiuiBrowser', /MiuiBrowser\/(\d+)/],
  ['Whale', /Whale\/(\d+)/],
  ['Vivaldi', /Vivaldi\/(\d+)/],
  ['Brave', /Brave\/(\d+)/],
  ['DuckDuckGo Mobile', /(?:DuckDuckGo|Ddg)\/(\d+)/],
  ['Electron', /Electron\/(\d+)/],
  ['Facebook', /FBAV\/(\d+)/],
  ['Instagram', /Instagram (\d+)/],
  ['Firefox iOS', /FxiOS\/(\d+)/],
  ['Chrome Mobile iOS', /CriOS\/(\d+)/],
  ['Google', /\bGSA\/(\d+)/],
  ['IE', /MSIE (\d+)|Trident\/.*rv:(\d+)/],
  ['SeaMonkey', /SeaMonkey\/(\d+)/],
  ['Firefox Mobile', /(?:Mobile|Tablet);.*Firefox\/(\d+)/],
  ['Firefox', /Firefox\/(\d+)/],
  ['Chrome Mobile WebView', /; wv\).*Chrome\/(\d+)/],
  ['Chrome Mobile', /Chrome\/(\d+)[\d.]* Mobile|Android.*Chrome\/(\d+)/],
  ['Chromium', /Chromium\/(\d+)/],
  ['Chrome', /Chrome\/(\d+)/],
  ['Android', /Android.*Version\/(\d+)/],
  ['Mobile Safari', /(?:iPhone|iPad|iPod).*Version\/(\d+).*Safari\//],
  ['Mobile Safari UI/WKWebView', /(?:iPhone|iPad|iPod).*OS (\d+)_[\d_]+.*AppleWebKit/],
  ['Safari', /Version\/(\d+).*Safari\//],
];

/** A version in the group belongs to the name. */
const SYSTEMS: Rules = [
  ['Windows Phone', /Windows Phone/],
  ['Windows 10', /Windows NT 10\.0/],
  ['Windows 8.1', /Windows NT 6\.3/],
  ['Windows 8', /Windows NT 6\.2/],
  ['Windows 7', /Windows NT 6\.1/],
  ['Windows Vista', /Windows NT 6\.0/],
  ['Windows XP', /Windows NT 5\.[12]/],
  ['Windows', /Windows|Win(?:32|64)/],
  ['iOS', /iPhone|iPad|iPod|CFNetwork.*Darwin.*iOS/],
  ['HarmonyOS', /HarmonyOS|OpenHarmony/],
  ['Tizen', /Tizen/],
  ['Android', /Android/],
  ['Chrome OS', /CrOS/],
  ['Mac OS X', /Mac OS X|Macintosh|macOS/],
  ['KaiOS', /KAIOS/],
  ['Firefox OS', /^Mozilla\/5\.0 \((?:Mobile|Tablet);/],
  ['Ubuntu', /Ubuntu/],
  ['Fedora', /Fedora/],
  ['Debian', /Debian/],
  ['FreeBSD', /FreeBSD/],
  ['OpenBSD', /OpenBSD/],
  ['Linux', /Linux|X11/],
];

/** Longer headers are looked at in their beginning only. */
const LONGEST = 1000;

/** The browser and the system of a header by today's rules. */
export function currentUserAgent(given: string): UserAgent {
  const header = given.length > LONGEST ? given.slice(0, LONGEST) : given;
  const os = SYSTEMS.find(([, expression]) => expression.test(header))?.[0] ?? null;
  for (const rules of [ROBOTS, PROGRAMS]) {
    const found = first(rules, header);
    if (found !== null) return { os, ...found };
  }
  const robot = OTHER_ROBOT.exec(header);
  if (robot !== null) return { os, browser: robot[1] ?? null, version: numberOf(robot[2]) };
  return { os, ...(first(BROWSERS, header) ?? { browser: null, version: null }) };
}

function first(rules: Rules, header: string): Omit<UserAgent, 'os'> | null {
  for (const [browser, expression] of rules) {
    const found = expression.exec(header);
    if (found !== null) return { browser, version: numberOf(found.slice(1).find((text) => text !== undefined && text !== '')) };
  }
  return null;
}

const numberOf = (text: string | undefined): number | null => (text === undefined || text === '' ? null : Number(text));
