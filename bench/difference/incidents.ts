import type { Draw } from './draw.ts';
import type { Fields, Kind, World } from './world.ts';

/** Something that happens in B, for the whole of it or from some time on. */
export interface Incident {
  readonly name: string;
  /** Words of a row that names the cause. */
  readonly cause: RegExp;
  /** Changes a record of B; null: it is not written. @param at share of B's time */
  change(fields: Fields, at: number): Fields | null;
  /** Records that come in addition to one. */
  extra?(at: number): Fields | null;
  /** Records of A that come in addition, such as a job that B lacks. */
  extraOfA?(at: number): Fields | null;
  /** Milliseconds by which the clock of the log is moved. */
  shift?(at: number): number;
}

type Make = (world: World, from: number) => Omit<Incident, 'name'>;

const escaped = (text: string): RegExp => new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`));
const isOn = (at: number, from: number): boolean => at >= from;

/** A record that comes so many times in a side, evenly. */
function every(times: number, make: () => Fields): (at: number) => Fields | null {
  let next = 0.5 / times;
  return (at) => {
    if (at < next) return null;
    next += 1 / times;
    return make();
  };
}

function badUpstream({ draw, hosts }: World, from: number): Omit<Incident, 'name'> {
  const host = `10.0.0.${5 + draw.below(hosts.length)}:8080`;
  const share = draw.between(0.1, 0.8);
  return {
    cause: escaped(`upstream_addr ${host}`),
    change: (fields, at) =>
      isOn(at, from) && fields['upstream_addr'] === host && draw.chance(share)
        ? { ...fields, status: draw.of([502, 504]), bytes: 150 }
        : fields,
  };
}

function slowRoute({ draw }: World, from: number): Omit<Incident, 'name'> {
  const path = draw.of(['/checkout', '/login', '/search', '/cart']);
  const factor = draw.between(4, 30);
  return {
    cause: escaped(`uri ${path}`),
    change: (fields, at) =>
      isOn(at, from) && fields['uri'] === path
        ? { ...fields, request_time: Number(((fields['request_time'] as number) * factor).toFixed(3)) }
        : fields,
  };
}

function flood({ draw }: World, from: number): Omit<Incident, 'name'> {
  const address = `203.0.113.${1 + draw.below(200)}`;
  const share = draw.between(0.1, 1);
  return {
    cause: escaped(address),
    change: (fields) => fields,
    extra: (at) =>
      isOn(at, from) && draw.chance(share)
        ? {
            remote_addr: address,
            user: '-',
            method: 'POST',
            uri: '/login',
            status: 401,
            bytes: 90,
            request_time: 0.004,
            upstream_addr: '10.0.0.5:8080',
            agent: 'python-requests/2.32.3',
            request_id: draw.below(2 ** 31).toString(16),
          }
        : null,
  };
}

const heavyRoute: Make = (_world, from) => ({
  cause: /uri \/search/,
  change: (fields, at) => (isOn(at, from) && fields['uri'] === '/search' ? { ...fields, bytes: (fields['bytes'] as number) * 12 } : fields),
});

function newText(kind: 'app' | 'pods', draw: Draw, from: number): Omit<Incident, 'name'> {
  const share = draw.between(0.003, 0.05);
  const text = draw.of(['disk quota exceeded on volume data', 'certificate has expired', 'too many open files']);
  return {
    cause: escaped(text),
    change: (fields, at) =>
      isOn(at, from) && draw.chance(share)
        ? { ...fields, level: kind === 'app' ? 'ERROR' : 'error', [kind === 'app' ? 'message' : 'msg']: text }
        : fields,
  };
}

function badTenant({ draw, services }: World, from: number): Omit<Incident, 'name'> {
  const tenant = `t${2 + draw.below(8)}`;
  return {
    cause: escaped(`tenant ${tenant}`),
    change: (fields, at) =>
      isOn(at, from) && fields['tenant'] === tenant && draw.chance(0.4)
        ? { ...fields, level: 'ERROR', service: services[0] as string, message: `tenant ${tenant}: quota service answered 500` }
        : fields,
  };
}

function newVersion(key: 'version' | 'image', { draw, services, version }: World, from: number): Omit<Incident, 'name'> {
  const next = `${version.slice(0, version.lastIndexOf('.'))}.${10 + draw.below(20)}`;
  const service = services[0] as string;
  return {
    cause: escaped(next),
    change(fields, at) {
      if (!isOn(at, from) || (fields['service'] ?? fields['app']) !== service) return fields;
      return { ...fields, [key]: key === 'version' ? next : `registry.example/${service}:${next}` };
    },
  };
}

const slowService: Make = ({ draw, services }, from) => {
  const service = services[draw.below(services.length)] as string;
  return {
    cause: escaped(`service ${service}`),
    change: (fields, at) =>
      isOn(at, from) && fields['service'] === service ? { ...fields, duration_ms: (fields['duration_ms'] as number) * 15 } : fields,
  };
};

const badNode: Make = ({ draw, hosts }, from) => {
  const node = `node-${1 + draw.below(hosts.length)}`;
  return {
    cause: new RegExp(`node ${node}\\b`),
    change: (fields, at) =>
      isOn(at, from) && fields['node'] === node && draw.chance(0.25)
        ? { ...fields, level: 'error', msg: 'connection reset by peer' }
        : fields,
  };
};

const lostNode: Make = ({ draw, hosts }, from) => {
  const node = `node-${1 + draw.below(hosts.length)}`;
  return { cause: new RegExp(`node ${node}\\b`), change: (fields, at) => (isOn(at, from) && fields['node'] === node ? null : fields) };
};

const attack: Make = ({ draw, hosts }, from) => {
  const share = draw.between(0.05, 0.6);
  const host = draw.of(hosts);
  return {
    cause: /198\.51\.100\.7|Failed password for/,
    change: (fields) => fields,
    extra: (at) =>
      isOn(at, from) && draw.chance(share)
        ? {
            host,
            text: `sshd[${1000 + draw.below(30_000)}]: Failed password for invalid user ${draw.of(['root', 'admin', 'ubuntu'])} from 198.51.100.7 port ${1024 + draw.below(60_000)} ssh2`,
          }
        : null,
  };
};

const diskErrors: Make = ({ draw, hosts }, from) => {
  const host = draw.of(hosts);
  return {
    cause: /I\/O error, dev/,
    change: (fields, at) =>
      isOn(at, from) && fields['host'] === host && draw.chance(0.05)
        ? {
            host,
            text: `kernel: [${draw.below(90_000)}.${draw.below(900_000)}] blk_update_request: I/O error, dev sda, sector ${draw.below(1e8)}`,
          }
        : fields,
  };
};

const missingJob: Make = ({ draw, hosts }) => {
  const job = { host: hosts[0] as string, text: 'CRON[4711]: (backup) CMD (/usr/local/bin/backup.sh --incremental)' };
  return {
    cause: /backup\.sh/,
    change: (fields) => fields,
    extraOfA: every(12 + draw.below(30), () => ({ ...job, text: job.text.replace('4711', String(1000 + draw.below(30_000))) })),
  };
};

const clockJump: Make = ({ draw }, from) => {
  const by = -draw.of([20, 60, 120]) * 60_000;
  return { cause: /clock goes back/, change: (fields) => fields, shift: (at) => (at >= Math.max(0.2, from) ? by : 0) };
};

const silence: Make = ({ draw }, from) => {
  const length = draw.between(0.12, 0.3);
  return {
    cause: /no record for/,
    change: (fields, at) => (at >= Math.min(0.6, from) && at < Math.min(0.6, from) + length ? null : fields),
  };
};

const exception: Make = ({ draw }, from) => {
  const share = draw.between(0.002, 0.03);
  const name = draw.of([
    'java.lang.OutOfMemoryError: Java heap space',
    'java.lang.NullPointerException: item is null',
    'org.postgresql.util.PSQLException: deadlock detected',
  ]);
  return {
    cause: escaped(name.split(':')[0] as string),
    change: (fields, at) =>
      isOn(at, from) && draw.chance(share)
        ? {
            ...fields,
            level: 'ERROR',
            logger: 'OrderService',
            text: `Request failed\n${name}\n\tat com.acme.shop.OrderService.place(OrderService.java:${40 + draw.below(3)})\n\tat com.acme.shop.Api.post(Api.java:12)`,
          }
        : fields,
  };
};

const lostJob: Make = ({ draw }) => ({
  cause: /reindex/,
  change: (fields) => fields,
  extraOfA: every(15 + draw.below(30), () => ({
    level: 'INFO',
    logger: 'Scheduler',
    thread: 'scheduler-1',
    text: `Job reindex finished in ${draw.below(900)} ms`,
  })),
});

const MAKERS: Readonly<Record<Kind, Readonly<Record<string, Make>>>> = {
  access: { 'bad upstream': badUpstream, 'slow route': slowRoute, flood, 'heavy route': heavyRoute },
  app: {
    'new error': ({ draw }, from) => newText('app', draw, from),
    'bad tenant': badTenant,
    'new version': (world, from) => newVersion('version', world, from),
    'slow service': slowService,
  },
  auth: { attack, 'disk errors': diskErrors, 'missing job': missingJob, 'clock jump': clockJump },
  pods: {
    'bad node': badNode,
    'lost node': lostNode,
    'new image': (world, from) => newVersion('image', world, from),
    'new error': ({ draw }, from) => newText('pods', draw, from),
  },
  java: { 'new exception': exception, silence, 'lost job': lostJob, 'clock jump': clockJump },
};

/** The incident of a pair: each kind of log has four, by turns; some begin with B, some within it. */
export function incidentOf(world: World, turn: number): Incident {
  const makers = Object.entries(MAKERS[world.kind]);
  const [name, make] = makers[turn % makers.length] as [string, Make];
  const from = world.draw.chance(0.5) ? 0 : world.draw.between(0.1, 0.7);
  return { name, ...make(world, from) };
}
