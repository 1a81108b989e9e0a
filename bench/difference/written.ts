import type { Fields, Kind } from './world.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A record as a line of its log. */
export function written(kind: Kind, time: number, fields: Fields): string {
  const date = new Date(time);
  const iso = date.toISOString();
  switch (kind) {
    case 'access':
    case 'app':
      return `${JSON.stringify({ time: iso, ...fields })}\n`;
    case 'auth':
      return `${MONTHS[date.getUTCMonth()]} ${String(date.getUTCDate()).padStart(2)} ${iso.slice(11, 19)} ${fields['host']} ${fields['text']}\n`;
    case 'pods':
      return `time=${iso} ${Object.entries(fields)
        .map(([key, value]) => `${key}=${/[ "=]/.test(String(value)) ? JSON.stringify(value) : value}`)
        .join(' ')}\n`;
    case 'java':
      return `${iso.slice(0, 19).replace('T', ' ')},${iso.slice(20, 23)} ${fields['level']} [${fields['thread']}] com.acme.shop.${fields['logger']} - ${fields['text']}\n`;
  }
}
