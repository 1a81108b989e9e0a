/** Messages that are longer than the `output_limit` of scripts. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sluicebox } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-long-'));
const at = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LONG = 'x'.repeat(70_000);
const OWN = '[own]\ntype = "SandboxEncoder"\nplugin = "plain_text"\n';

async function written(encoder: string, section: string): Promise<{ lengths: number[]; err: string }> {
  writeFileSync(at('a.log'), `${LONG}\nshort\n`);
  writeFileSync(
    at('p.toml'),
    `[in]\ntype = "FileInput"\npaths = ["${at('a.log')}"]\nstart = "begin"\n` +
      `[out]\ntype = "FileOutput"\npath = "${at('out')}"\nmessage_matcher = "TRUE"\nencoder = "${encoder}"\n${section}`,
  );
  rmSync(at('out'), { force: true });
  const { err } = await sluicebox(['run', at('p.toml'), '--until-idle'], '', { SLUICEBOX_DATA: at('data') });
  const lines = readFileSync(at('out'), 'utf8').split('\n');
  return { lengths: lines.map((line) => line.match(/x*$|x*(?="\})/)?.[0].length ?? 0).filter(Boolean), err };
}

describe('an encoder writes a message of 70,000 bytes', () => {
  it.each([
    ['plain_text', ''],
    ['es_payload', ''],
    ['alert', ''],
    ['own', `${OWN}output_limit = 0\n`],
    ['own', `${OWN}output_limit = 70002\n`],
  ])('%s %j', async (encoder, section) => {
    expect(await written(encoder, section)).toMatchObject({
      lengths: [LONG.length],
      err: expect.not.stringContaining('output_limit') as string,
    });
  });

  it.each([
    ['own', OWN],
    ['own', `${OWN}output_limit = 70001\n`],
  ])('or not, by its section: %s %j', async (encoder, section) => {
    expect(await written(encoder, section)).toMatchObject({ lengths: [], err: expect.stringContaining('output_limit') as string });
  });

  it.each(['plain_text', 'json_lines', 'es_payload'])('sluicebox encode %s', async (encoder) => {
    const { code, out, err } = await sluicebox(['encode', encoder], `${JSON.stringify({ Payload: LONG })}\n`);
    expect({ code, err, long: out.includes(LONG) }).toEqual({ code: 0, err: '', long: true });
  });
});
