import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordBatch } from '../../../../engine/inputs/pieces.ts';
import { LatinText, textValues, type Text } from '../../../../engine/message/latin-text.ts';
import { findPlugin } from '../../../../engine/plugins/catalog.ts';
import { sandboxSpec } from '../../../../engine/plugins/sandboxes.ts';
import { DirectScript } from '../../../../engine/sandbox/ours/direct-script.ts';
import { scriptCode } from '../../../../engine/sandbox/ours/script-code.ts';
import { messagesOf } from '../harness.ts';

const LINE = '192.0.2.7 - alice [05/Mar/2021:13:07:59 +0100] "GET /a?b=1 HTTP/1.1" 200 5120 "https://example.org/" "Mozilla/5.0 (X11)"';

/** Lines of an access log as they are and damaged: with other characters in places, cut, or of other clients, dates, requests and counts. */
const line = fc.oneof(
  fc.constant(LINE),
  fc
    .tuple(fc.nat(LINE.length), fc.constantFrom('', ' ', '"', '\\', '\\"', '-', '[', '9', 'é', '\x85', '::1'))
    .map(([at, by]) => LINE.slice(0, at) + by + LINE.slice(at + 1)),
  fc.nat(LINE.length).map((end) => LINE.slice(0, end)),
  fc.constantFrom('2001:db8::7', 'unix:', '256.1.1.1', '1.2.3.4.5', '-').map((client) => LINE.replace('192.0.2.7', client)),
  fc
    .constantFrom('06/Mar/2021:00:00:00 +0100', '05/Mar/2021:13:07:59.5 +0100', '05/Mar/2021:23:59:60 -1130')
    .map((date) => LINE.replace(/05\/.*0100/, date)),
  fc.constantFrom('-', '12345678901234567890', '007').map((bytes) => LINE.replace('5120', bytes)),
);

/** Decodes lines in one text, which is given as it is or as bytes. */
function decoderOf(textOf: (text: string) => Text): (lines: readonly string[]) => unknown {
  const plugin = findPlugin('decoder', 'nginx_access');
  const spec = sandboxSpec('decoder', plugin, { config: { log_format: 'combined', payload_keep: true } });
  const script = new DirectScript(
    spec,
    scriptCode(plugin.path, () => true),
    false,
  );
  return (lines) => {
    let at = 0;
    const starts = Uint32Array.from(lines, (one) => (at += one.length + 1) - one.length - 1);
    const ends = Uint32Array.from(lines, (one, i) => (starts[i] as number) + one.length);
    const payload = textValues(textOf(lines.map((one) => `${one}\n`).join('')), starts, ends);
    const batch = recordBatch(payload, { type: 't', logger: 'l', hostname: null });
    const [served] = script.serve([{ kind: 'process', id: 1, batch, selection: null }]);
    const { result } = served as NonNullable<typeof served>;
    return {
      messages: messagesOf(result).map((message) => ({ ...message, uuid: null })),
      failures: result.failures,
      origins: result.origins,
    };
  };
}

test('a log is decoded from its bytes as from its text', () => {
  const fromText = decoderOf((text) => text);
  const fromBytes = decoderOf((text) => new LatinText(Buffer.from(text, 'latin1')));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), (lines) => {
      expect(fromBytes(lines)).toEqual(fromText(lines));
    }),
    { numRuns: 100 },
  );
});
