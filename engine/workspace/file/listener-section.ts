import type { SectionData } from '../../config/toml-write.ts';

/** The section for a listener for syslog that was opened in the window. */
export function listenerSection(protocol: 'udp' | 'tcp', address: string): SectionData {
  const kind = protocol === 'udp' ? { type: 'UdpInput', set_hostname: true } : { type: 'TcpInput' };
  return { ...kind, address, decoder: 'syslog' };
}
