import { createHash } from 'node:crypto';
import type { Demand } from '../../api/wire.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { InputConfig } from '../../config/schema/sections.ts';
import { bundledNames, findPlugin } from '../../plugins/catalog.ts';
import { filesToRead } from '../../plugins/files.ts';
import { demandsOf, fileDemand, ofWorkspace, openDemand, scriptDemand } from '../sources/demands.ts';
import type { Manifest } from './manifest.ts';

/** The scripts, commands, connections and files that the sections of a workspace would start or read. */
export function demandsOfSections({ config }: LoadedConfig): Demand[] {
  const inputs = config.inputs.flatMap((input) =>
    input.type === 'SandboxInput' ? [] : [...demandsOf(input, 'workspace'), ...filesOf(input)],
  );
  const scripts = [
    ...config.filters.map(({ plugin, config: values }) => ({ kind: 'filter', plugin, values }) as const),
    ...config.decoders.map(({ plugin, config: values }) => ({ kind: 'decoder', plugin, values }) as const),
  ];
  const named = scripts.flatMap(({ kind, plugin, values }) => (plugin === undefined ? [] : filesToRead(findPlugin(kind, plugin), values)));
  return [...inputs, ...named.map((path) => ofWorkspace(fileDemand(path)))];
}

/** Files that the parameters of its files' decoders name. */
export function decoderDemands({ files }: Manifest): Demand[] {
  return files.flatMap(({ decoder }) => {
    if (decoder === null || !bundledNames('decoder').includes(decoder.name)) return [];
    return filesToRead(findPlugin('decoder', decoder.name), decoder.config).map((path) => ofWorkspace(fileDemand(path)));
  });
}

/** The commands, listeners and connections that a workspace starts, in words. */
export const startsOf = ({ config }: LoadedConfig): string[] =>
  config.inputs.flatMap((input) => (input.type === 'SandboxInput' ? [] : demandsOf(input, 'workspace').map(({ text }) => text)));

/** The files that an input of the sections reads. */
function filesOf(input: InputConfig): Demand[] {
  if (input.type === 'FileInput') return input.paths.map(opening);
  return input.type === 'FilePollingInput' ? [opening(input.file_path)] : [];
}

/** Opening a file of a workspace that nobody chose before. */
export const opening = (path: string): Demand => ofWorkspace(openDemand(path));

/** A script of a workspace that is not on this machine. */
export function newScriptDemand(name: string, text: string): Demand {
  const lines = text.split('\n').length;
  const sum = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return scriptDemand(name, text, `${name}, ${lines} lines, SHA-256 ${sum}…`);
}
