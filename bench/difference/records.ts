import type { Fields, Kind, World } from './world.ts';

/** Makes the records of a quiet log, with what comes in streaks: sessions of one client, retries, a bot that reads pages for a while. */
export class RecordSource {
  readonly #world: World;
  readonly #state = { client: '', user: '', left: 0, bot: 0, sick: 0, request: 0 };

  constructor(world: World) {
    this.#world = world;
  }

  next(): Fields {
    const { draw, clients, users } = this.#world;
    const state = this.#state;
    if (state.left-- <= 0) {
      state.client = draw.ranked(clients);
      state.user = draw.ranked(users);
      state.left = draw.below(12);
    }
    if (state.bot > 0) state.bot--;
    else if (draw.chance(0.0004)) state.bot = 20 + draw.below(60);
    if (state.sick > 0) state.sick--;
    else if (draw.chance(0.0006)) state.sick = 10 + draw.below(40);
    state.request = draw.below(2 ** 31);
    return MAKE[this.#world.kind](this.#world, state);
  }
}

type State = { client: string; user: string; bot: number; sick: number; request: number };

const hex = (n: number): string => n.toString(16).padStart(8, '0');

const MAKE: Readonly<Record<Kind, (world: World, state: State) => Fields>> = {
  access({ draw, routes, hosts, agents }, { client, user, bot, sick, request }) {
    const route = bot > 0 ? draw.of(routes) : draw.ranked(routes);
    const item = route.path.startsWith('/api') ? `/${draw.below(90_000)}` : '';
    const status = draw.chance(sick > 0 ? 0.1 : 0.004) ? draw.of([500, 502, 503]) : draw.chance(0.03) ? draw.of([404, 301, 304, 401]) : 200;
    const ms = draw.around(route.ms);
    return {
      remote_addr: bot > 0 ? '66.249.66.1' : client,
      user: draw.chance(0.3) ? user : '-',
      method: route.path === '/checkout' || route.path === '/login' || draw.chance(0.05) ? 'POST' : 'GET',
      uri: route.path + item,
      status,
      bytes: Math.round(draw.around(route.bytes)),
      request_time: Number((ms / 1000).toFixed(3)),
      upstream_addr: `10.0.0.${hosts.indexOf(draw.of(hosts)) + 5}:8080`,
      agent: bot > 0 ? (agents[4] as string) : draw.ranked(agents.slice(0, 4)),
      request_id: hex(request),
    };
  },
  app({ draw, services, hosts, version }, { user, sick, request }) {
    const service = draw.ranked(services);
    const ms = Math.round(draw.around(40));
    const texts: (() => [string, string])[] = [
      () => ['INFO', `order ${draw.below(1e6)} stored in ${ms} ms`],
      () => ['INFO', `user ${user} logged in from session ${hex(request)}`],
      () => ['INFO', `cache hit for key item:${draw.below(9000)}`],
      () => ['DEBUG', `polling queue orders, ${draw.below(40)} waiting`],
      () => ['INFO', `mail to ${user}@example.org queued as ${hex(draw.below(2 ** 31))}`],
      () => ['WARN', `slow query took ${ms * 20} ms on table orders`],
      () => ['INFO', 'configuration is unchanged'],
    ];
    const [level, message] = draw.chance(sick > 0 ? 0.12 : 0.004)
      ? (['ERROR', `payment gateway answered ${draw.of([500, 503])} after ${ms * 10} ms`] as const)
      : draw.ranked(texts)();
    return {
      level,
      service,
      host: draw.of(hosts),
      version,
      message,
      duration_ms: ms,
      tenant: `t${1 + Math.floor(20 * draw.next() ** 2)}`,
      trace: hex(request),
    };
  },
  auth({ draw, hosts }, { client, user, bot }) {
    const host = draw.of(hosts);
    const pid = 1000 + draw.below(30_000);
    const texts = [
      `sshd[${pid}]: Accepted publickey for ${user} from ${client} port ${1024 + draw.below(60_000)} ssh2`,
      `sshd[${pid}]: pam_unix(sshd:session): session opened for user ${user}(uid=${1000 + draw.below(20)}) by (uid=0)`,
      `CRON[${pid}]: (root) CMD (/usr/lib/sysstat/debian-sa1 1 1)`,
      `sudo: ${user} : TTY=pts/0 ; PWD=/home/${user} ; USER=root ; COMMAND=/usr/bin/systemctl status nginx`,
      `systemd[1]: Started session ${draw.below(9000)} of user ${user}.`,
      `dhclient[${500 + draw.below(4)}]: DHCPACK of 10.1.2.${draw.below(255)} from 10.1.2.1`,
      `kernel: [${draw.below(90_000)}.${draw.below(900_000)}] eth0: link is up at 1000 Mbps`,
    ];
    const failed = `sshd[${pid}]: Failed password for invalid user ${draw.of(['admin', 'test', 'oracle', 'git', 'pi'])} from ${bot > 0 ? '45.3.2.1' : client} port ${1024 + draw.below(60_000)} ssh2`;
    return { host, text: bot > 0 || draw.chance(0.02) ? failed : draw.ranked(texts) };
  },
  pods({ draw, services, hosts, version }, { sick, request }) {
    const app = draw.ranked(services);
    const ms = Math.round(draw.around(25));
    const isBad = draw.chance(sick > 0 ? 0.1 : 0.006);
    const texts = [
      'reconciled deployment',
      'probe succeeded',
      `handled request in ${ms}ms`,
      `pulled ${draw.below(9)} messages`,
      'lease renewed',
    ];
    return {
      level: isBad ? 'error' : draw.chance(0.05) ? 'warn' : 'info',
      namespace: draw.of(['prod', 'prod', 'prod', 'infra']),
      app,
      pod: `${app}-${hex(app.length * 7919).slice(2)}-${draw.below(4)}`,
      node: `node-${hosts.indexOf(draw.of(hosts)) + 1}`,
      image: `registry.example/${app}:${version}`,
      msg: isBad ? draw.of(['context deadline exceeded', 'connection reset by peer']) : draw.ranked(texts),
      took_ms: ms,
      trace: hex(request),
    };
  },
  java({ draw }, { user, sick }) {
    const ms = Math.round(draw.around(70));
    const isBad = draw.chance(sick > 0 ? 0.1 : 0.003);
    const texts: readonly [string, string, string][] = [
      ['INFO', 'OrderService', `Order ${draw.below(1e6)} placed by ${user} in ${ms} ms`],
      ['DEBUG', 'CacheManager', `Evicted ${draw.below(300)} entries from region items`],
      ['INFO', 'LoginController', `User ${user} logged in`],
      ['INFO', 'Scheduler', `Job cleanup-${draw.below(4)} finished in ${ms * 3} ms`],
      ['WARN', 'PoolMonitor', `Pool main has ${draw.below(10)} idle connections of 50`],
      ['INFO', 'MailSender', `Sent receipt to ${user}@example.org`],
    ];
    const [level, logger, text] = isBad
      ? ([
          'ERROR',
          'PaymentClient',
          `Call failed\njava.net.SocketTimeoutException: Read timed out\n\tat java.base/java.net.Socket.read(Socket.java:${100 + draw.below(9)})\n\tat com.acme.shop.PaymentClient.call(PaymentClient.java:88)`,
        ] as const)
      : draw.ranked(texts);
    return { level, logger, thread: `http-nio-8080-exec-${1 + draw.below(20)}`, text };
  },
};
