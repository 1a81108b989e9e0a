import type { EngineRequests } from '../../../engine/api/types.ts';

export type Listen = EngineRequests['source.listen']['in'];

/** The texts of the form. */
export interface ListenForm {
  readonly protocol: Listen['protocol'];
  readonly host: string;
  readonly port: string;
}

export type ListenCheck =
  { readonly ok: true; readonly listen: Listen } | { readonly ok: false; readonly field: 'host' | 'port'; readonly text: string };

/** Checks the form before the request to the engine. */
export function checkListen({ protocol, host, port }: ListenForm): ListenCheck {
  const address = host.trim();
  if (address === '')
    return {
      ok: false,
      field: 'host',
      text: 'Say on which address to listen: 127.0.0.1 for this computer alone, 0.0.0.0 for all networks.',
    };
  if (/\s/.test(address) || address.length > 255) return { ok: false, field: 'host', text: `“${address}” is not an address.` };
  const digits = port.trim();
  const number = Number(digits);
  if (!/^\d+$/.test(digits) || number < 1 || number > 65_535)
    return { ok: false, field: 'port', text: 'A port is a whole number from 1 to 65535.' };
  return { ok: true, listen: { protocol, host: address, port: number } };
}

/** A hint, not an error: such ports need the rights of the administrator. */
export function portHint(port: string, platform: string): string {
  const number = Number(port);
  return platform !== 'win32' && /^\d+$/.test(port.trim()) && number > 0 && number < 1024
    ? 'Ports below 1024 may need administrator rights; 5514 does not.'
    : '';
}
