import { parseArgs } from 'node:util';
import { headersInPlace, type Header } from '../../api/headers.ts';
import { Exit, UsageError, type Command } from '../command.ts';
import { FIELD_OPTIONS, type FieldKind } from '../inject/field-flags.ts';
import { HEADER_OPTIONS, messageMaker, signerOf } from '../inject/message-flags.ts';
import { framedRecord } from '../inject/record.ts';
import { openTarget, TLS_HELP, TLS_OPTIONS } from '../inject/target.ts';
import { namingOptions, parseCount } from '../settings.ts';

/** The options of all headers of a kind but the first one. */
function others(wanted: Header['kind']): string {
  const options = headersInPlace(1).flatMap(({ kind, option }) => (kind === wanted ? [`--${option}`] : []));
  return options.slice(1).join(', ');
}

const help = `Usage: sluicebox inject [OPTIONS] TARGET

Makes a message and writes it, framed, to TARGET: a file (appended to), - (standard output), tcp://HOST:PORT,
tls://HOST:PORT or udp://HOST:PORT. What is not given stays unset.

      --type TEXT           and ${others('text')}
      --severity N          and ${others('int')}
      --timestamp TIME      nanoseconds since 1970, or a date such as 2021-03-05T13:07:59.25+01:00 (now)
      --uuid UUID           (random)

      --field NAME=VALUE    adds a field that holds a text. Other types: --field-int, --field-double, --field-bool, --field-bytes
                            (base64). NAME:UNIT=VALUE gives it a representation; NAME[]=VALUE adds a value to the field before.
                            A name that holds a colon or an equals sign has a backslash before it.

      --count N             makes N of them (1)
      --signer NAME         signs it, with --key KEY or --key-file FILE, --signer-version N (1) and --hmac md5|sha1 (md5)
      --max-message-size N  largest message in bytes (65536)
${TLS_HELP}`;

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;

const OPTIONS = {
  ...HEADER_OPTIONS,
  field: texts,
  'field-int': texts,
  'field-double': texts,
  'field-bool': texts,
  'field-bytes': texts,
  count: { type: 'string', default: '1' },
  signer: text,
  'signer-version': { type: 'string', default: '1' },
  hmac: { type: 'string', default: 'md5' },
  key: text,
  'key-file': text,
  'max-message-size': { type: 'string', default: '65536' },
  ...TLS_OPTIONS,
} as const;

export const inject: Command = {
  help,
  async run(args, context) {
    const parse = () => parseArgs({ args: [...args], allowPositionals: true, tokens: true, options: OPTIONS });
    const { values, positionals, tokens } = namingOptions(args, OPTIONS, parse);
    const [target, ...more] = positionals;
    if (target === undefined || more.length > 0)
      throw new UsageError('inject needs one target: a file, tcp://host:port or udp://host:port.');
    // Fields keep their order on the command line, across the options of all types.
    const fields = tokens.flatMap((token) =>
      token.kind === 'option' && isFieldKind(token.name) ? [{ kind: token.name, value: token.value ?? '' }] : [],
    );
    const make = messageMaker(values, fields);
    const signer = signerOf(values);
    const maxMessageSize = parseCount('--max-message-size', values['max-message-size']);
    const count = parseCount('--count', values.count);
    const record = (): Uint8Array => framedRecord(make(), signer, maxMessageSize);
    // Made before the target is opened, so that a message that is too large opens nothing.
    const first = record();
    const opened = await openTarget(target, context, values);
    try {
      for (let i = 0; i < count; i++) {
        if (context.signal.aborted) return context.out.closed ? Exit.ok : Exit.interrupted;
        await opened.write(i === 0 ? first : record());
      }
    } finally {
      await opened.close();
    }
    return Exit.ok;
  },
};

const isFieldKind = (name: string): name is FieldKind => Object.hasOwn(FIELD_OPTIONS, name);
