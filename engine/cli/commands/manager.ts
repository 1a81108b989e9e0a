import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import { readText } from '../../base/files/regular-file.ts';
import { MAX_SCRIPT_BYTES } from '../../sandbox/code/script-files.ts';
import { Exit, UsageError, type Command, type CommandContext } from '../command.ts';
import { signerOf, type SignerFlags } from '../inject/message-flags.ts';
import { framedRecord } from '../inject/record.ts';
import { openTarget, TLS_HELP, TLS_OPTIONS, type TlsFlags } from '../inject/target.ts';
import { MODULE_OPTION, parseArguments, parseCount, parseModules } from '../settings.ts';
import { managedFilter, parseManaged, type ManagedSection } from '../../config/managed.ts';
import { formatProblem } from '../../config/problems.ts';
import { CONTROL_TYPE } from '../../config/schema/manager.ts';
import type { FilterConfig } from '../../config/schema/sections.ts';
import { EngineError, messageOf } from '../../base/errors.ts';
import { stripTypes, TypesError } from '../../base/text/strip-types.ts';
import { randomUuid } from '../../message/random-uuid.ts';
import { nowNs } from '../../message/timestamp.ts';
import { ValueType, type Field, type Message } from '../../message/types.ts';
import { SERVICE_NAME } from '../../pipeline/messages.ts';
import { bundledNames } from '../../plugins/catalog.ts';
import { bundledScript } from '../../sandbox/code/script-bundle.ts';
import { wrongManaged } from '../../service/check/check-managed.ts';
import { DEFAULT_LIMITS } from '../../sandbox/contract/types.ts';

const help = `Usage: sluicebox manager load [OPTIONS] CONFIG TARGET
       sluicebox manager unload [OPTIONS] NAME TARGET

Tells the SandboxManagerFilter of a service that runs to load or to unload a filter. TARGET is where that service takes framed messages:
tcp://HOST:PORT, tls://HOST:PORT, udp://HOST:PORT, a file (appended to) or - (standard output). The result, also a refusal, is in
the log of the service.

load      CONFIG is a TOML file with the section of a SandboxFilter, as it could stand in a configuration. Its script is the one of its filename
          (a relative path starts at the folder of CONFIG), or --script; the message contains it, in one piece with the files that it
          imports. Both are checked first: the script is loaded in a sandbox, with the bundled modules and those of --module-directory.
          What is wrong is not sent. A filter that runs is not replaced: unload it before.
unload    NAME is the name of the section. What the filter keeps (preserve_data) stays.

      --script FILE         the filter's script
      --module-directory DIR[;DIR…]
                            folders of modules that the manager has as its module_directory
      --signer NAME         signs the message, with --key KEY or --key-file FILE, --signer-version N (1) and --hmac md5|sha1 (md5)
      --type TEXT           the Type that the manager's message_matcher wants (${CONTROL_TYPE})
      --hostname TEXT       (the name of this machine)
      --max-message-size N  largest message in bytes (65536)
${TLS_HELP}`;

const text = { type: 'string' } as const;

const OPTIONS = {
  script: text,
  ...MODULE_OPTION,
  signer: text,
  key: text,
  'key-file': text,
  'signer-version': { type: 'string', default: '1' },
  hmac: { type: 'string', default: 'md5' },
  type: { type: 'string', default: CONTROL_TYPE },
  hostname: text,
  'max-message-size': { type: 'string', default: '65536' },
  ...TLS_OPTIONS,
} as const;

interface Settings extends SignerFlags, TlsFlags {
  readonly script?: string | undefined;
  readonly 'module-directory': readonly string[];
  readonly type: string;
  readonly hostname?: string | undefined;
  readonly 'max-message-size': string;
}

export const manager: Command = {
  help,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, OPTIONS);
    const [action, what, target, ...more] = positionals;
    if (action !== 'load' && action !== 'unload') throw new UsageError('manager needs load or unload.');
    if (what === undefined || target === undefined || more.length > 0) {
      throw new UsageError(`manager ${action} needs ${action === 'load' ? 'a configuration' : 'a name'} and a target.`);
    }
    if (action === 'unload' && values.script !== undefined) throw new UsageError('--script is for load.');
    const control = action === 'load' ? await loading(what, values, context) : { payload: '', fields: unloading(what) };
    if (control === null) return Exit.failed;
    await send(control, target, values, context);
    if (/^\w+:\/\//.test(target)) {
      context.complain(`sent to ${target}; the service does not answer: its log has the result`);
    }
    return Exit.ok;
  },
};

type Control = Required<Pick<Message, 'payload' | 'fields'>>;

const unloading = (name: string): Field[] => [field('action', 'unload'), field('name', name)];

/** The message that loads a filter; null when it would not start, which is told. */
async function loading(path: string, settings: Settings, { complain }: CommandContext): Promise<Control | null> {
  const { script } = settings;
  const config = await contentOf(path);
  const section = parseManaged(config, path);
  const { plugin, filename } = section.values;
  const filter = checked(section, path);
  if (plugin !== undefined && script !== undefined) throw new UsageError('the section names a plugin: there is no --script then.');
  const file = script ?? (typeof filename === 'string' ? resolve(dirname(path), filename) : null);
  if (plugin === undefined && file === null)
    throw new UsageError(`[${section.name}] has no filename: the script is given with --script FILE.`);
  const payload = file === null ? '' : await scriptIn(file);
  const sent = file === null ? null : { path: file, text: payload };
  const problems = await wrongManaged({ config, file: path, section, filter, script: sent, modules: parseModules(settings) });
  for (const problem of problems) complain(formatProblem(problem));
  return problems.length > 0 ? null : { payload, fields: [field('action', 'load'), field('config', config)] };
}

/** Checks the section before it is sent, since errors of the receiving service do not come back. */
function checked(section: ManagedSection, path: string): FilterConfig {
  const { memory, instructions, output } = DEFAULT_LIMITS;
  const parameters = { filename: '/script.js', memory_limit: memory, instruction_limit: instructions, output_limit: output };
  try {
    return managedFilter(section, { name: section.name, file: path }, parameters, { filter: bundledNames('filter') });
  } catch (error) {
    throw new EngineError('manager.config', `${path}: ${messageOf(error)}`, { cause: error });
  }
}

/** A file that a script imports by its path. */
const FILE_IMPORT = /\b(?:from|import)\s*['"]\.{1,2}\//;

/**
 * Reads a script as JavaScript, which managers keep, in one piece with the files that it imports. Types are blanked out, so that lines and columns
 * of a single file stay the same.
 */
async function scriptIn(path: string): Promise<string> {
  const content = await contentOf(path);
  try {
    if (FILE_IMPORT.test(content)) return bundledScript(path);
    return path.endsWith('.ts') ? stripTypes(content) : content;
  } catch (error) {
    const said = messageOf(error);
    const at = error instanceof TypesError && error.place !== null ? `:${error.place.line}:${error.place.column}` : '';
    throw new EngineError('manager.file', said.startsWith(path) ? said : `${path}${at}: ${said}`, { cause: error });
  }
}

async function contentOf(path: string): Promise<string> {
  try {
    return await readText(path, MAX_SCRIPT_BYTES);
  } catch (error) {
    throw new EngineError('manager.file', `${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function field(name: string, value: string): Field {
  return { name, valueType: ValueType.STRING, values: [value] };
}

async function send(control: Control, target: string, settings: Settings, context: CommandContext): Promise<void> {
  const { payload, fields } = control;
  const message: Message = {
    uuid: randomUuid(),
    timestamp: nowNs(),
    type: settings.type,
    logger: SERVICE_NAME,
    fields,
    hostname: settings.hostname ?? hostname(),
    payload: payload === '' ? undefined : payload,
  };
  const record = framedRecord(message, signerOf(settings), parseCount('--max-message-size', settings['max-message-size']));
  const opened = await openTarget(target, context, settings);
  try {
    await opened.write(record);
  } finally {
    await opened.close();
  }
}
