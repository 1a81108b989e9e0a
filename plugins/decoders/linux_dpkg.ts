/**
 * Decodes the log of dpkg, `/var/log/dpkg.log` (dpkg(1), section LOG).
 *
 * | Line | Fields |
 * |---|---|
 * | `startup archives unpack` | action, target (archives or packages), command |
 * | `status installed libc6:amd64 2.36-9` | action, state, package, architecture, installed_version |
 * | `upgrade libc6:amd64 2.36-8 2.36-9`, also install, configure, trigproc, disappear, remove, purge | action, package, architecture, installed_version, available_version |
 * | `conffile /etc/a.conf keep` | action, filename, decision |
 *
 * A version of `<none>` sets no field. The time, which is in the zone of tz, becomes Timestamp; the rest of the line becomes Payload.
 */
import { boolConfig, stringConfig } from '../modules/config.ts';
import { injectWritten } from '../base/inject.ts';
import { TYPE } from '../lib/parameters.ts';
import { PlainDate } from '../lib/time/plain_date.ts';
import { isSpace, upToSpace, withoutLineEnd } from '../base/scan.ts';
import { configuredClock } from '../modules/time_zone.ts';

export const meta: PluginMeta = {
  name: 'linux_dpkg',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes the log of the package manager dpkg.',
  columns: ['action', 'package'],
  recordSummary:
    '{action}[ {state}][ {package}[ {installed_version}[ → {available_version}]]| {filename}[ {decision}]| {startup_type|command}]',
  looks: [
    {
      lines: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (?:startup|status|install|upgrade|configure|trigproc|disappear|remove|purge|conffile) \S+ \S/,
      config: { type: 'dpkg' },
    },
  ],
  parameters: {
    type: TYPE,
    tz: { type: 'string', summary: 'Zone of the times: UTC, an offset such as +02:00, Local, or an IANA name.', default: 'UTC' },
    payload_keep: { type: 'bool', summary: 'Keep the whole line as Payload.', default: false },
  },
  examples: [
    {
      title: 'an upgrade',
      in: '2021-03-05 13:07:59 upgrade libc6:amd64 2.36-8 2.36-9+deb12u1',
      out: {
        Timestamp: '1614949679000000000',
        Payload: 'upgrade libc6:amd64 2.36-8 2.36-9+deb12u1',
        Fields: {
          action: 'upgrade',
          package: 'libc6',
          architecture: 'amd64',
          installed_version: '2.36-8',
          available_version: '2.36-9+deb12u1',
        },
      },
    },
    {
      title: 'a state, and a machine an hour ahead of UTC',
      config: { tz: '+01:00', type: 'dpkg', payload_keep: true },
      in: '2021-03-05 14:07:59 status half-configured man-db:amd64 2.11.2-2\n',
      out: {
        Timestamp: '1614949679000000000',
        Type: 'dpkg',
        Payload: '2021-03-05 14:07:59 status half-configured man-db:amd64 2.11.2-2',
        Fields: { action: 'status', state: 'half-configured', package: 'man-db', architecture: 'amd64', installed_version: '2.11.2-2' },
      },
    },
    {
      title: 'a file of configuration',
      in: '2021-03-05 13:07:59 conffile /etc/default/cron keep',
      out: {
        Timestamp: '1614949679000000000',
        Payload: 'conffile /etc/default/cron keep',
        Fields: { action: 'conffile', filename: '/etc/default/cron', decision: 'keep' },
      },
    },
    { title: 'a line of another log', in: 'Mar  5 13:07:59 box1 cron: x', fails: 'no date at the start' },
    { title: 'an unknown action', in: '2021-03-05 13:07:59 dance libc6:amd64', fails: 'no action of dpkg with its words' },
  ],
};

const FIELDS = [
  ...['action', 'target', 'command', 'state', 'package', 'architecture'],
  ...['installed_version', 'available_version', 'filename', 'decision'],
];
const PACKAGE = 'package';
const ON_PACKAGE = ['action', PACKAGE, 'installed_version', 'available_version'];
/** Field names of the words behind each action. */
const ACTIONS: ReadonlyMap<string, readonly number[]> = new Map(
  Object.entries({
    startup: ['action', 'target', 'command'],
    status: ['action', 'state', PACKAGE, 'installed_version'],
    conffile: ['action', 'filename', 'decision'],
    install: ON_PACKAGE,
    upgrade: ON_PACKAGE,
    configure: ON_PACKAGE,
    trigproc: ON_PACKAGE,
    disappear: ON_PACKAGE,
    remove: ON_PACKAGE,
    purge: ON_PACKAGE,
  }).map(([action, names]) => [action, names.map((name) => FIELDS.indexOf(name))]),
);
const PACKAGE_COLUMN = FIELDS.indexOf(PACKAGE);
const ARCHITECTURE_COLUMN = FIELDS.indexOf('architecture');
const NONE = '<none>';

const noDate: ProcessStatus = [-1, 'no date at the start'];
const noAction: ProcessStatus = [-1, 'no action of dpkg with its words'];

const type = stringConfig('type', null);
const keepPayload = boolConfig('payload_keep');
const clock = configuredClock();
const date = new PlainDate('-');
const writer = message_writer(FIELDS.map((name): WriterColumn => ({ name, kind: 'slice' })));

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const to = withoutLineEnd(text, start, end);
  const afterDate = date.read(text, start, to);
  if (afterDate < 0 || afterDate >= to || !isSpace(text.charCodeAt(afterDate))) return noDate;

  const message = afterDate + 1;
  const columns = ACTIONS.get(text.slice(message, upToSpace(text, message, to)));
  if (columns === undefined || !writeWords(columns, text, message, to)) return noAction;
  if (type !== null) writer.type(type);
  writer.timestamp(clock.timeOf(date));
  writer.payloadSlice(keepPayload ? start : message, to);
  return injectWritten(writer);
}

/** Writes the words of [at, end) into these columns. False when there are more or fewer words than columns. */
function writeWords(columns: readonly number[], text: string, at: number, end: number): boolean {
  for (let i = 0; i < columns.length; i++) {
    const to = upToSpace(text, at, end);
    if (to === at) return false;
    writeWord(columns[i] as number, text, at, to);
    if (i + 1 === columns.length) return to === end;
    at = to + 1;
  }
  return false;
}

function writeWord(column: number, text: string, from: number, to: number): void {
  const colon = column === PACKAGE_COLUMN ? text.indexOf(':', from) : -1;
  if (colon > from && colon < to) {
    writer.slice(PACKAGE_COLUMN, from, colon);
    writer.slice(ARCHITECTURE_COLUMN, colon + 1, to);
  } else if (to - from !== NONE.length || !text.startsWith(NONE, from)) writer.slice(column, from, to);
}
