import { READ_AT } from '../../support/decode.ts';
import { AT, reads, WHOLE } from '../../support/reads.ts';

const UNDATED = { Timestamp: String(READ_AT) };
const ZAP = '2021-03-05T13:07:59.250Z\tINFO\tcart/add.go:12\t';
const ZEROLOG = '2021-03-05T13:07:59Z INF ';
const SLOG = '2021/03/05 13:07:59 ERROR ';
const HCLOG = '2021-03-05T13:07:59.250Z [WARN]  agent.server: ';
const STRUCTLOG = '2021-03-05 13:07:59 [error    ] ';
const TRACING = '2021-03-05T13:07:59.250000Z  WARN shop::cart: ';
const OF_ZAP = { ...AT, Severity: 6, source: 'cart/add.go:12' };
const OF_ZEROLOG = { ...WHOLE, Severity: 6 };
const OF_SLOG = { ...WHOLE, Severity: 3 };
const OF_HCLOG = { ...AT, Severity: 4, Logger: 'agent.server' };
const OF_STRUCTLOG = { ...WHOLE, Severity: 3 };
const OF_TRACING = { ...AT, Severity: 4, Logger: 'shop::cart' };

reads('program_log', {}, [
  [`${ZAP}added\t{"id": 7, "who": {"name": "x y"}}`, { ...OF_ZAP, id: 7, 'who.name': 'x y', Payload: 'added' }],
  [`${ZAP}no\t{"id": 7}\nmain.add\n\t/srv/cart.go:12`, { ...OF_ZAP, id: 7, Payload: 'no\nmain.add\n\t/srv/cart.go:12' }],
  [
    '2021-03-05T13:07:59Z\tshop\t{"time":"2021-03-05T13:07:59.250Z","level":"warn","msg":"no","n":7}',
    { ...AT, Severity: 4, Logger: 'shop', Payload: 'no', n: 7, envelope_time: '2021-03-05T13:07:59.000Z' },
  ],
  [`${ZAP}got {"id": 7}`, { ...OF_ZAP, Payload: 'got {"id": 7}' }],
  [`${ZAP}cut\t{"id": 7, "na}`, { ...OF_ZAP, Payload: 'cut\t{"id": 7, "na}' }],
  [`${ZAP}a=1`, { ...OF_ZAP, Payload: 'a=1' }],
  [
    `${ZEROLOG}cart.go:12 > added id=7 who="x \\"y\\"" ok=true took=1.50`,
    { ...OF_ZEROLOG, source: 'cart.go:12', id: 7, who: 'x "y"', ok: true, took: '1.50', Payload: 'added' },
  ],
  [`${ZEROLOG}added list=["a","b c"]`, { ...OF_ZEROLOG, list: '["a","b c"]', Payload: 'added' }],
  [`${ZEROLOG}GET /x?a=1 done url=http://a/?b=1`, { ...OF_ZEROLOG, url: 'http://a/?b=1', Payload: 'GET /x?a=1 done' }],
  [`${ZEROLOG}id=7`, { ...OF_ZEROLOG, id: 7 }],
  [`${ZEROLOG}SELECT * FROM t WHERE a=1`, { ...OF_ZEROLOG, Payload: 'SELECT * FROM t WHERE a=1' }],
  [`${ZEROLOG}a=1 is not b=2`, { ...OF_ZEROLOG, Payload: 'a=1 is not b=2' }],
  [`${ZEROLOG}x = 1`, { ...OF_ZEROLOG, Payload: 'x = 1' }],
  [`${ZEROLOG}quote a="b`, { ...OF_ZEROLOG, Payload: 'quote a="b' }],
  [`${SLOG}full cart=7 err="no room"\nmore`, { ...OF_SLOG, cart: 7, err: 'no room', Payload: 'full\nmore' }],
  ['2021/03/05 13:07:59 full cart=7', { ...WHOLE, Payload: 'full cart=7' }],
  ['2021-03-05 13:07:59 ERROR full cart=7', { ...WHOLE, Severity: 3, Payload: 'full cart=7' }],
  [`${HCLOG}joined: member=a addr=192.0.2.1:8300`, { ...OF_HCLOG, member: 'a', addr: '192.0.2.1:8300', Payload: 'joined' }],
  [`${HCLOG}joined member=a`, { ...OF_HCLOG, Payload: 'joined member=a' }],
  [
    `${STRUCTLOG}no                             [shop.cart] id=7 why='x y'`,
    { ...OF_STRUCTLOG, Logger: 'shop.cart', id: 7, why: 'x y', Payload: 'no' },
  ],
  [`${STRUCTLOG}no                             id=7`, { ...OF_STRUCTLOG, id: 7, Payload: 'no' }],
  [`${STRUCTLOG}no                             [shop.cart]`, { ...OF_STRUCTLOG, Logger: 'shop.cart', Payload: 'no' }],
  ['2021-03-05 13:07:59 [error] no [shop.cart] id=7', { ...WHOLE, Severity: 3, Payload: 'no [shop.cart] id=7' }],
  [`${TRACING}full id=7 error="x y"`, { ...OF_TRACING, id: 7, error: 'x y', Payload: 'full' }],
]);

reads('generic', {}, [
  ['INFO[2021-03-05T13:07:59Z] added                                         id=7', { ...WHOLE, Severity: 6, id: 7, Payload: 'added' }],
  ['ERRO[0012] no  error="x y"', { ...UNDATED, Severity: 3, uptime: [12, 's'], undated: true, error: 'x y', Payload: 'no' }],
  [
    '[info     ] added                          [shop.cart] id=7',
    { ...UNDATED, Severity: 6, Logger: 'shop.cart', undated: true, id: 7, Payload: 'added' },
  ],
  ['\x1b[32mINFO\x1b[0m [03-05|13:07:59.250] added   \x1b[32mid\x1b[0m=7', { ...AT, Severity: 6, id: 7, Payload: 'added' }],
  ['Mar  5 13:07:59.250 ERR no err="x y"', { ...AT, Severity: 3, err: 'x y', Payload: 'no' }],
  ['1.61494967925e+09\tERROR\tsetup\tno\t{"error": "x y"}', { ...AT, Severity: 3, Logger: 'setup', error: 'x y', Payload: 'no' }],
  ['Mar  5 13:07:59.250 no err="x y"', { ...AT, Payload: 'no err="x y"' }],
]);
