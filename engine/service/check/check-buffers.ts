import type { PipelineConfig } from '../../config/sections.ts';
import { maxRecordSize } from '../../message/protobuf/framing.ts';
import type { SectionFinding } from './findings.ts';

/** Finds disk buffers whose files have no room for the largest message that there may be. */
export function wrongBuffers({ service, filters, outputs }: PipelineConfig): SectionFinding[] {
  const least = maxRecordSize(service.max_message_size);
  return [...filters, ...outputs].flatMap(({ name, use_buffering: buffered, buffering }) => {
    const { max_file_size: size } = buffering;
    if (!buffered || size === 0 || size >= least) return [];
    const text = `must be at least ${least}, the largest message with its header, not ${size}`;
    return [{ section: name, path: ['buffering', 'max_file_size'], code: 'config.parameter', text, hint: '' }];
  });
}
