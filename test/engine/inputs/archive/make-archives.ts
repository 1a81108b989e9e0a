import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive that is made for a test. */
export interface MadeFile {
  readonly name: string;
  readonly text?: string | Buffer;
  /** Type of a tar entry; `0`, a file, by default. */
  readonly type?: string;
  /** Bits 0 of a zip entry's flags. */
  readonly isEncrypted?: boolean;
  /** Size that the head claims. */
  readonly size?: number;
}

const WRITTEN = 1_772_359_200;

/** A tar archive (ustar; names above 100 bytes as GNU writes them). */
export function tarOf(files: readonly MadeFile[]): Buffer {
  return Buffer.concat([...files.flatMap((file) => tarEntry(file)), Buffer.alloc(1024)]);
}

function tarEntry({ name, text = '', type = '0', size }: MadeFile): Buffer[] {
  const content = Buffer.from(text);
  const long = Buffer.byteLength(name) > 100 ? tarEntry({ name: '././@LongLink', type: 'L', text: `${name}\0` }) : [];
  const head = Buffer.alloc(512);
  head.write(name.slice(0, 100), 0);
  head.write('0000644\0', 100);
  head.write(`${(size ?? content.length).toString(8).padStart(11, '0')}\0`, 124);
  head.write(`${WRITTEN.toString(8).padStart(11, '0')}\0`, 136);
  head.write('        ', 148);
  head.write(type, 156);
  head.write('ustar\x0000', 257);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return [...long, head, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
}

/** An entry of pax with attributes, in front of a file. */
export const pax = (attributes: Readonly<Record<string, string>>): MadeFile => ({
  name: 'PaxHeader',
  type: 'x',
  text: Object.entries(attributes)
    .map(([key, value]) => {
      const rest = ` ${key}=${value}\n`;
      const bytes = Buffer.byteLength(rest);
      const length = bytes + String(bytes + 2).length;
      return `${length}${rest}`;
    })
    .join(''),
});

/** A zip archive of deflated files. */
export function zipOf(files: readonly MadeFile[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const { name, text = '', isEncrypted = false, size } of files) {
    const content = Buffer.from(text);
    const data = deflateRawSync(content);
    const bytes = Buffer.from(name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(0x800 | (isEncrypted ? 1 : 0), 2);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt32LE(0x5c61_5000, 6);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(data.length, 14);
    shared.writeUInt32LE(size ?? content.length, 18);
    shared.writeUInt16LE(bytes.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, bytes, data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), shared, rest, bytes]));
    locals.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end]);
}
