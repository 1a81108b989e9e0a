/** Messages of Cisco firewalls and routers, from their system log guides. */
import { fieldMaker, MessageRules } from './message_rules.ts';

const SIDE = (side: string): string =>
  String.raw`(?:(?<${side}_interface>[^\s:]+):)?(?<${side}_addr>[^\s/(]+)(?:/(?<${side}_port>\d+))?(?: ?\((?!type )[^)]*\))*`;
const FROM_TO = String.raw`${SIDE('src')} to ${SIDE('dst')}`;
const ON = '(?: flags (?<flags>.*?))?(?: {1,9}on interface (?<interface>[^ .]+))?\\.?$';

/** Rules for the part behind `%ASA-6-302013: `. */
export const ciscoRules = new MessageRules(
  [
    {
      event: 'connection_built',
      pattern: new RegExp(
        String.raw`^Built (?:(?<direction>inbound|outbound) )?(?<protocol>\w+) connection (?<connection>\d+) for ${FROM_TO}`,
      ),
    },
    {
      event: 'connection_ended',
      pattern: new RegExp(
        String.raw`^Teardown (?<protocol>\w+) connection (?<connection>\d+) for ${FROM_TO} duration (?<duration>[\d:]+)(?: bytes (?<bytes>\d+))?(?: (?<reason>[^(]+?))?(?: \(.*)?$`,
      ),
    },
    {
      event: 'denied',
      pattern: new RegExp(
        String.raw`^Deny (?<protocol>\w+) src ${SIDE('src')} dst ${SIDE('dst')}(?: \(type (?<icmp_type>\d+), code (?<icmp_code>\d+)\))? by access-group "(?<access_list>[^"]*)"`,
      ),
    },
    { event: 'denied', pattern: new RegExp(String.raw`^(?<direction>Inbound) (?<protocol>\w+) connection denied from ${FROM_TO}${ON}`) },
    {
      event: 'denied',
      pattern: new RegExp(String.raw`^Deny (?:(?<direction>inbound) )?(?<protocol>\w+) (?:\((?<reason>[^)]*)\) )?from ${FROM_TO}${ON}`),
    },
    {
      event: 'access_list',
      pattern:
        /^access-list (?<access_list>\S+) (?<action>permitted|denied|est-allowed) (?<protocol>\w+) (?<src_interface>[^\s/]+)\/(?<src_addr>[^\s(]+)\((?<src_port>\d+)\)(?:\([^)]*\))? -> (?<dst_interface>[^\s/]+)\/(?<dst_addr>[^\s(]+)\((?<dst_port>\d+)\)(?:\([^)]*\))? hit-cnt (?<hits>\d+)/,
    },
    {
      event: 'login',
      pattern:
        /^Login permitted from (?<src_addr>[^\s/]+)\/(?<src_port>\d+) to (?<dst_interface>[^\s:]+):(?<dst_addr>[^\s/]+)\/(?<service>\S+) for user "(?<user>[^"]*)"/,
    },
    {
      event: 'login_failed',
      pattern:
        /^Login denied from (?<src_addr>[^\s/]+)\/(?<src_port>\d+) to (?<dst_interface>[^\s:]+):(?<dst_addr>[^\s/]+)\/(?<service>\S+) for user "(?<user>[^"]*)"/,
    },
    {
      event: 'command',
      pattern: /^User '(?<user>[^']*)'(?:, running '[^']*' from IP (?<src_addr>[^,\s]+),)? executed (?:the )?'(?<command>.*)'/,
    },
    { event: 'link', pattern: /^(?:Line protocol on )?Interface (?<interface>[^,\s]+), changed state to (?<state>[\w ]+)/ },
    {
      event: 'configured',
      pattern: /^Configured from (?<origin>\S+)(?: by (?<user>\S+))?(?: on (?<tty>\S+))?(?: \((?<src_addr>[^)]*)\))?/,
    },
  ],
  fieldMaker({
    numbers: { src_port: '', dst_port: '', bytes: 'B', hits: '', icmp_type: '', icmp_code: '' },
    hosts: ['src_addr', 'dst_addr'],
  }),
);
