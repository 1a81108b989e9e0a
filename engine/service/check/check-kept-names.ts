import type { PipelineConfig } from '../../config/sections.ts';
import { decoderInstance, encoderInstance, fileName } from '../kept-names.ts';
import type { SectionFinding } from './findings.ts';

/** Outputs that keep something beside a buffer, in a `base_dir`: what is being written, or is to be sent again. */
const KEEPING: ReadonlySet<string> = new Set(['FileOutput', 'TcpOutput', 'NatsOutput', 'SandboxOutput']);

/** Something that a section keeps under a name. */
interface Kept {
  readonly section: string;
  readonly name: string;
}

/**
 * Finds sections whose buffers, or whose preserved states, would be in the same place: only letters, digits and `_` tell their files apart. One would take the
 * messages of the other for its own, and remove them.
 */
export function wrongKeptNames(config: PipelineConfig): SectionFinding[] {
  return [...clashes(buffersOf(config), 'buffer'), ...clashes(statesOf(config), 'preserved data')];
}

function buffersOf({ service, filters, outputs }: PipelineConfig): Kept[] {
  const isOwn = service.base_dir !== undefined;
  return [...filters, ...outputs]
    .filter(({ use_buffering: buffered, type }) => buffered || (isOwn && KEEPING.has(type)))
    .map(({ name }) => ({ section: name, name }));
}

function statesOf({ inputs, decoders, filters, encoders, outputs }: PipelineConfig): Kept[] {
  const keeps = (section: { readonly name: string }): boolean => 'preserve_data' in section && section.preserve_data === true;
  const codecs = new Set([...decoders, ...encoders].filter(keeps).map(({ name }) => name));
  const own = [...inputs, ...filters, ...outputs].filter(keeps).map(({ name }) => ({ section: name, name }));
  const used = [
    ...inputs.flatMap((input) => usedBy(input, 'decoder' in input ? input.decoder : undefined, decoderInstance)),
    ...outputs.flatMap((output) => usedBy(output, 'encoder' in output ? output.encoder : undefined, encoderInstance)),
  ];
  return [...own, ...used.filter(({ codec }) => codecs.has(codec))];
}

function usedBy(
  { name: section }: { readonly name: string },
  codec: unknown,
  nameOf: typeof encoderInstance,
): (Kept & { readonly codec: string })[] {
  return typeof codec === 'string' ? [{ section, codec, name: nameOf(codec, section) }] : [];
}

function clashes(kept: readonly Kept[], what: string): SectionFinding[] {
  const firsts = new Map<string, string>();
  return kept.flatMap(({ section, name }) => {
    const first = firsts.get(fileName(name));
    if (first === undefined) firsts.set(fileName(name), section);
    if (first === undefined || first === section) return [];
    const text = `its ${what} would be in the same place as that of [${first}], because only letters from a to z, digits and _ count for that`;
    return [{ section, path: [], code: 'config.section', text, hint: 'rename one of them' }];
  });
}
