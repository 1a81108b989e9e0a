import { expect, test } from 'vitest';
import { parseConfig } from '../../../engine/config/load.ts';
import type { PlainOutputConfig } from '../../../engine/config/schema/sections.ts';
import { bundledNames } from '../../../engine/plugins/catalog.ts';
import { Detectors } from '../../../engine/service/detectors.ts';
import { SectionCodecs } from '../../../engine/service/section-codecs.ts';
import { SectionScripts } from '../../../engine/service/section-scripts.ts';

/** The names of the sandboxes that are started for the encoder of an output. */
async function sandboxesOf(encoder: string, sections = ''): Promise<string[]> {
  const output = `[out]\ntype = "LogOutput"\nmessage_matcher = "TRUE"\nencoder = "${encoder}"\n`;
  const { config, problems } = parseConfig(output + sections, 'p.toml', { bundled: { encoder: bundledNames('encoder') } });
  expect(problems).toEqual([]);
  const names: string[] = [];
  const starter = { start: never, startInput: never };
  const tell = (): void => undefined;
  const host = { starter, tell, detectors: new Detectors(starter, tell) };
  const codecs = new SectionCodecs(config, host, new SectionScripts(config, '/tmp'), ({ name }) => {
    names.push(name);
    return never();
  });
  await codecs.encoder(config.outputs[0] as PlainOutputConfig, { onError: () => undefined, transient: false }).catch(() => undefined);
  return names;
}

const never = (): Promise<never> => Promise.reject(new Error('it is not to start'));

test.each([
  ['by its name', 'plain_text', ''],
  ['in a section', 'own', '[own]\ntype = "SandboxEncoder"\nplugin = "plain_text"\n'],
  ['with a default that is written', 'own', '[own]\ntype = "SandboxEncoder"\nplugin = "plain_text"\n[own.config]\nprefix_ts = false\n'],
  ['that writes JSON', 'json_lines', ''],
])('the bundled encoders plain_text and json_lines need no sandbox: %s', async (_, encoder, section) => {
  expect(await sandboxesOf(encoder, section)).toEqual([]);
});

test.each([
  ['another one', 'alert', ''],
  ['other parameters', 'own', '[own]\ntype = "SandboxEncoder"\nplugin = "plain_text"\n[own.config]\nprefix_ts = true\n'],
  ['data that is kept', 'own', '[own]\ntype = "SandboxEncoder"\nplugin = "plain_text"\npreserve_data = true\n'],
])('other encoders have one: %s', async (_, encoder, section) => {
  expect(await sandboxesOf(encoder, section)).toEqual([`out-${encoder}`]);
});
