import type { ClusterAddress, StreamStart } from '../../api/fleet-types.ts';
import type { SectionData } from '../../config/toml-write.ts';

/** The section of a stream that is opened for watching: it has a consumer of its own. */
export function clusterSection({ servers, credentials }: ClusterAddress, stream: string, start: StreamStart): SectionData {
  return {
    type: 'NatsInput',
    servers: servers.split(/[\s,]+/).filter((server) => server !== ''),
    stream,
    subject: '>',
    durable: '',
    start: typeof start === 'number' ? new Date(start).toISOString() : start,
    ...(credentials === '' ? {} : { credentials_file: credentials }),
  };
}
