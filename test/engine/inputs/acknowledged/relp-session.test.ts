import { describe, expect, it } from 'vitest';
import type { AcknowledgedInput, AcknowledgedInputOptions } from '../../../../engine/inputs/acknowledged/acknowledged-input.ts';
import { makeRelpInput } from '../../../../engine/inputs/acknowledged/relp-input.ts';
import { until } from '../../../until.ts';
import { Client, started } from './client.ts';
import type { TestSink } from '../harness.ts';

const OFFERS = 'relp_version=0\nrelp_software=librelp,1.11.0,http://librelp.adiscon.com\ncommands=syslog';
const frame = (number: number, command: string, data = ''): string =>
  `${number} ${command} ${Buffer.byteLength(data)}${data === '' ? '' : ` ${data}`}\n`;
const OPEN = frame(1, 'open', OFFERS);
const OPENED = frame(1, 'rsp', '200 OK\nrelp_version=0\nrelp_software=sluicebox\ncommands=syslog');
const ok = (number: number): string => frame(number, 'rsp', '200 OK');

async function relp(more: Partial<AcknowledgedInputOptions> = {}): Promise<{ sink: TestSink; client: Client; input: AcknowledgedInput }> {
  const input = makeRelpInput({ name: 'relp', address: '127.0.0.1:0', maxMessage: 1000, ...more });
  const sink = await started(input);
  return { sink, input, client: await Client.to(input) };
}

describe('RELP', () => {
  it.each<[what: string, sent: string, payloads: string[], answers: string]>([
    [
      'a session',
      OPEN + frame(2, 'syslog', '<13>a') + frame(3, 'syslog', '<13>grün\nb') + frame(4, 'close'),
      ['<13>a', '<13>grün\nb'],
      OPENED + ok(2) + ok(3) + frame(4, 'rsp') + frame(0, 'serverclose'),
    ],
    ['a record with its line end', OPEN + frame(2, 'syslog', 'a\n'), ['a'], OPENED + ok(2)],
    ['an empty record', OPEN + frame(2, 'syslog', '\n') + frame(3, 'syslog'), [], OPENED + ok(2) + ok(3)],
    ['a blank behind a length of 0', `${OPEN}2 close 0 \n`, [], OPENED + frame(2, 'rsp') + frame(0, 'serverclose')],
    [
      'a command that is not known',
      OPEN + frame(2, 'starttls') + frame(3, 'syslog', 'a'),
      ['a'],
      OPENED + frame(2, 'rsp', '500 starttls is not known') + ok(3),
    ],
    ['a record that is too long', OPEN + frame(2, 'syslog', 'x'.repeat(2000)), ['x'.repeat(1000)], OPENED + ok(2)],
  ])('%s', async (_, sent, payloads, answers) => {
    // In one piece, and byte by byte.
    for (const pieces of [[sent], [...Buffer.from(sent)].map((byte) => Buffer.of(byte))]) {
      const { sink, client } = await relp();
      client.socket.setNoDelay(true);
      for (const piece of pieces) client.send(piece);
      await until(() => client.answer.length >= answers.length);
      expect(client.answer).toBe(answers);
      expect(sink.payloads).toEqual(payloads);
      expect(sink.records.every(({ hostname, logger, type }) => `${hostname} ${logger} ${type}` === '127.0.0.1 relp relp')).toBe(true);
    }
  });

  it('a record is acknowledged when it is safe, in the order of the records', async () => {
    const { sink, client } = await relp();
    sink.acknowledges = false;
    client.send(OPEN + frame(2, 'syslog', 'a'));
    await until(() => sink.payloads.length === 1);
    client.send(frame(3, 'syslog', 'b'));
    await until(() => sink.payloads.length === 2);
    expect(client.answer).toBe(OPENED);
    sink.batches[1]?.acknowledge();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(client.answer).toBe(OPENED);
    sink.batches[0]?.acknowledge();
    await until(() => client.answer === OPENED + ok(2) + ok(3));
  });

  it('a stop answers what is safe in time, and says farewell', async () => {
    const { sink, client, input } = await relp();
    sink.acknowledges = false;
    client.send(OPEN + frame(2, 'syslog', 'a'));
    await until(() => sink.payloads.length === 1);
    const stopped = input.stop();
    client.send(frame(3, 'syslog', 'b'));
    setTimeout(() => sink.batches[0]?.acknowledge(), 30);
    await stopped;
    await until(() => client.isClosed);
    expect(client.answer).toBe(OPENED + ok(2) + frame(0, 'serverclose'));
    expect(sink.payloads).toEqual(['a']);
  });

  it.each<[what: string, sent: string, text: RegExp]>([
    ['another protocol', 'GET / HTTP/1.1\r\n', /it is not RELP/],
    ['a long number', '1234567890 open 0\n', /it is not RELP/],
    ['a long command', `1 ${'a'.repeat(40)} 0\n`, /it is not RELP/],
    ['a frame beyond the bound', '1 open 999999999 ', /a frame of 999999999 bytes is longer than 16777216/],
    ['a wrong length', '1 open 2 abcd\n', /the length of a frame is wrong/],
    ['records before open', frame(1, 'syslog', 'a'), /it sends syslog before open/],
    ['another version', frame(1, 'open', 'relp_version=7\ncommands=syslog'), /it speaks version 7 of RELP, and this input 0 and 1/],
    ['no version', frame(1, 'open', 'x'), /version none of RELP/],
    ['a peer without syslog', frame(1, 'open', 'relp_version=0\ncommands=x'), /does not offer the command syslog/],
  ])('%s ends the connection, and says why; others are served', async (_, sent, text) => {
    const { sink, client, input } = await relp();
    client.send(sent);
    await until(() => client.isClosed);
    expect(sink.codes).toEqual(['stream.framing']);
    expect(sink.notices[0]?.text).toMatch(text);
    const other = await Client.to(input);
    other.send(OPEN + frame(2, 'syslog', 'a'));
    await until(() => other.answer === OPENED + ok(2));
  });

  it('what comes before garbage is taken and answered', async () => {
    const { sink, client } = await relp();
    client.send(`${OPEN}${frame(2, 'syslog', 'a')}!`);
    await until(() => client.isClosed);
    expect(client.answer).toBe(OPENED + ok(2));
    expect(sink.payloads).toEqual(['a']);
  });

  it('a connection that stands still amid a frame is ended, one that is idle is not', async () => {
    const { sink, client, input } = await relp({ stillMs: 60 });
    const idle = await Client.to(input);
    idle.send(OPEN);
    client.send(`${OPEN}2 syslog 5 ab`);
    await until(() => client.isClosed);
    expect(sink.notices.map(({ text }) => text)).toEqual([expect.stringContaining('it stood still amid a message for 0.06 seconds')]);
    expect(idle.isClosed).toBe(false);
  });

  it('begun frames of many connections are bounded together', async () => {
    const { sink, client, input } = await relp({ maxMessage: 4 << 20 });
    const clients = [client];
    while (clients.length < 9) clients.push(await Client.to(input));
    for (const one of clients) one.send(Buffer.concat([Buffer.from(`${OPEN}2 syslog 16000000 `), Buffer.alloc(4 << 20)]));
    await until(() => clients.some(({ isClosed }) => isClosed));
    expect(sink.notices[0]?.text).toMatch(/too many long messages come at the same time/);
  });
});
