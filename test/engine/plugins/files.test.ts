import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findPlugin } from '../../../engine/plugins/catalog.ts';
import { startParameters } from '../../../engine/plugins/parameters.ts';
import { fileOf, sluicebox } from '../cli/run-cli.ts';

const mail = fileOf('mail.patterns', 'QUEUE [0-9A-F]{10,11}\n');
const shop = fileOf('shop.patterns', '# of the shop\r\nORDER O-\\d+\r\n');
const folder = dirname(mail);
const grok = findPlugin('decoder', 'grok');
const match = '%{QUEUE:queue} %{ORDER:order}';

describe('parameters that name files', () => {
  it.each([
    ['paths that are absolute', `${mail}, ${shop}`, '/'],
    ['paths from a folder', 'mail.patterns,shop.patterns', folder],
  ])('%s become their texts', (_, patterns_file, from) => {
    const { patterns_file: texts } = startParameters(grok, { match, patterns_file }, from);
    expect(texts).toBe('QUEUE [0-9A-F]{10,11}\n\n# of the shop\r\nORDER O-\\d+\r\n');
  });

  it('that cannot be read are all told', () => {
    mkdirSync(join(folder, 'patterns'), { recursive: true });
    writeFileSync(join(folder, 'large'), 'x'.repeat((1 << 20) + 1));
    expect(() => startParameters(grok, { match, patterns_file: 'nothing, patterns, large' }, folder)).toThrow(
      /parameter patterns_file names nothing, which cannot be read: ENOENT.*; parameter patterns_file names patterns, which cannot be read: it is a folder, not a regular file; parameter patterns_file names large, which cannot be read: it is too large: at most 1,048,576 bytes are read/,
    );
  });

  it('stay paths for scripts that came from elsewhere', () => {
    const own = { ...grok, path: join(folder, 'own.ts') };
    expect(startParameters(own, { match, patterns_file: mail })).toMatchObject({ patterns_file: mail });
  });

  it('begin at the folder of the configuration', async () => {
    const lines = fileOf('orders.log', 'BEF25A72965 O-7\n');
    const config = fileOf(
      'orders.toml',
      `[lines]\ntype = "FileInput"\npaths = ["${lines}"]\ndecoder = "shop"\n[shop]\ntype = "SandboxDecoder"\nplugin = "grok"\n[shop.config]\nmatch = '${match}'\npatterns_file = "mail.patterns, shop.patterns"\n[out]\ntype = "LogOutput"\nmessage_matcher = "TRUE"\n`,
    );
    const checked = await sluicebox(['check', config]);
    expect(checked).toMatchObject({ code: 0 });
    const broken = fileOf(
      'broken.toml',
      `[shop]\ntype = "SandboxDecoder"\nplugin = "grok"\n[shop.config]\nmatch = 'x'\npatterns_file = "nowhere"\n`,
    );
    const refused = await sluicebox(['check', broken]);
    expect(refused.code).toBe(1);
    expect(refused.out + refused.err).toMatch(/\[shop\].*patterns_file.*names nowhere, which cannot be read/);
  });

  it('begin at the current folder on the command line', async () => {
    const { out, code } = await sluicebox([
      'decode',
      'grok',
      '-s',
      `match=${match}`,
      '-s',
      `patterns_file=${mail},${shop}`,
      fileOf('one.log', 'BEF25A72965 O-7\n'),
    ]);
    expect(code).toBe(0);
    expect(out).toContain('{"name":"order","value_type":0,"value":["O-7"]}');
  });
});
