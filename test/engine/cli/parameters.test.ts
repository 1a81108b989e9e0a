/** Parameters of scripts as a command line gives them: what is wrong is said with the names of script and parameter. */
import { expect, it } from 'vitest';
import { sluicebox } from './run-cli.ts';

it.each([
  ['filter', 'http_status', 'rows=many', 'http_status: parameter rows must be a whole number from 2 on, not "many"'],
  ['filter', 'http_status', 'rows=', 'http_status: parameter rows must be a whole number from 2 on, not ""'],
  ['filter', 'http_status', 'rows=1', 'http_status: parameter rows must be a whole number from 2 on, not 1'],
  ['filter', 'http_status', 'rows=["5"]', 'http_status: parameter rows must be a whole number'],
  ['filter', 'http_status', 'row=5', 'http_status: unknown parameter row.*rows'],
  ['filter', 'http_status', 'anomaly_config=roc("HTTP Status",1)', 'http_status: anomaly_config: a comma expected at character 20 of: roc'],
  ['filter', 'procstat', 'extras=yes', 'procstat: parameter extras must be true or false, not "yes"'],
  ['filter', 'procstat', 'whitelist=(', 'procstat: parameter whitelist must be a regular expression, not "\\("'],
  ['filter', 'frequent_items', 'max_items=5', 'frequent_items: missing parameter: message_variable'],
  ['filter', 'stat_graph', 'stats=a b', 'stat_graph: missing parameter: stat_labels'],
  ['encode', 'schema_influx_line', 'decimal_precision=six', 'schema_influx_line: decimal_precision must be a whole number from 0 to 100'],
  ['filter', 'rate', 'message_variable=banana', 'rate: message_variable is not a variable of a message: "banana"'],
  ['decode', 'rsyslog', 'template=%bogus%', 'rsyslog: template: unknown property bogus'],
  ['encode', 'json_lines', 'timestamp=iso', 'json_lines: parameter timestamp must be one of rfc3339, s, ms, us, ns, not "iso"'],
  ['encode', 'plain_text', 'tz=Moon/Base', 'plain_text: there is no time zone Moon/Base'],
])('%s %s -s %s', async (command, name, setting, reason) => {
  const { code, err } = await sluicebox([command, name, '-s', setting], '{"Payload":"x"}\n');
  expect(code).not.toBe(0);
  expect(err).toMatch(new RegExp(`^sluicebox: ${reason}`));
});

it.each([
  ['rows= 5 ', '"rows":5,'],
  ['rows=1e1', '"rows":10,'],
  ['rows=1_000', '"rows":1000,'],
  ['rows=+7.0', '"rows":7,'],
])('filter http_status -s %s', async (setting, header) => {
  const { code, err, out } = await sluicebox(['filter', 'http_status', '-s', setting], '{"timer":"0"}\n');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain(header.replaceAll('"', '\\"'));
});

it('takes booleans in any case', async () => {
  const messages = [1, 3].map((value) => JSON.stringify({ Fields: { ctxt: value } })).join('\n');
  const { err, out } = await sluicebox(['filter', 'procstat', '-s', 'extras= TRUE'], messages);
  expect(err).toBe('');
  expect(out).toContain('ctxt_delta');
});
