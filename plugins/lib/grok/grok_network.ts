/** Grok patterns for firewalls; see `grok_base.ts`. */

const SRC = '%{DATA:src_interface|[observer][ingress][interface][name]}:%{IP:src_ip|[source][ip]}';
const DST = '%{DATA:dst_interface|[observer][egress][interface][name]}:%{IP:dst_ip|[destination][ip]}';
const SRC_PORT = '/%{INT:src_port|[source][port]:int}';
const DST_PORT = '/%{INT:dst_port|[destination][port]:int}';
const SRC_USER = String.raw`(?:\(%{DATA:src_fwuser|[source][user][name]}\))?`;
const DST_USER = String.raw`(?:\(%{DATA:dst_fwuser|[destination][user][name]}\))?`;
const PLAIN_SRC = `%{IP:src_ip|[source][ip]}${SRC_PORT}`;
const PLAIN_DST = `%{IP:dst_ip|[destination][ip]}${DST_PORT}`;
const PROTOCOL = '%{WORD:protocol|[cisco][asa][network][transport]}';
const ACTION = '%{CISCO_ACTION:action|[cisco][asa][outcome]}';
const DIRECTION = '%{CISCO_DIRECTION:direction|[cisco][asa][network][direction]}';
const REASON = '%{CISCO_REASON:reason|[event][reason]}';
const HASHES = String.raw`\[%{DATA:hashcode1|[@metadata][cisco][asa][hashcode1]}, %{DATA:hashcode2|[@metadata][cisco][asa][hashcode2]}\]`;
const ICMP = String.raw`\(type %{INT:icmp_type|[cisco][asa][icmp_type]:int}, code %{INT:icmp_code|[cisco][asa][icmp_code]:int}\)`;
const HITS = '%{INT:hit_count|[cisco][asa][hit_count]:int} %{CISCO_INTERVAL:interval|[cisco][asa][interval]}';
const LIST = '%{NOTSPACE:policy_id|[cisco][asa][rule_name]}';

export const NETWORK_PATTERNS = String.raw`
CISCOTIMESTAMP %{MONTH} +%{MONTHDAY}(?: %{YEAR})? %{TIME}
CISCOTAG [A-Z0-9]+-%{INT}-[A-Z0-9_]+
CISCO_TAGGED_SYSLOG ^<%{POSINT:syslog_pri|[log][syslog][priority]:int}>%{CISCOTIMESTAMP:timestamp}(?: %{SYSLOGHOST:sysloghost|[host][hostname]})? ?: %%{CISCOTAG:ciscotag|[cisco][asa][tag]}:
CISCO_ACTION (?:Built|Teardown|Denied|Deny|denied by ACL|denied|requested|permitted|discarded|est-allowed|Dropping|created|deleted)
CISCO_REASON (?:Duplicate TCP SYN|Failed to locate egress interface|Invalid transport field|No matching connection|DNS Response|DNS Query|(?:%{WORD}(?:\s+%{WORD})*)?)
CISCO_DIRECTION (?:[Ii]nbound|[Oo]utbound)
CISCO_INTERVAL (?:first hit|%{INT}-second interval)
CISCO_XLATE_TYPE (?:static|dynamic)
CISCOFW104001 \((?:Primary|Secondary)\) Switching to ACTIVE - %{GREEDYDATA:switch_reason|[event][reason]}
CISCOFW104002 \((?:Primary|Secondary)\) Switching to STANDBY - %{GREEDYDATA:switch_reason|[event][reason]}
CISCOFW104003 \((?:Primary|Secondary)\) Switching to FAILED\.
CISCOFW104004 \((?:Primary|Secondary)\) Switching to OK\.
CISCOFW105003 \((?:Primary|Secondary)\) Monitoring on [Ii]nterface %{NOTSPACE:interface_name|[network][interface][name]} waiting
CISCOFW105004 \((?:Primary|Secondary)\) Monitoring on [Ii]nterface %{NOTSPACE:interface_name|[network][interface][name]} normal
CISCOFW105005 \((?:Primary|Secondary)\) Lost Failover communications with mate on [Ii]nterface %{NOTSPACE:interface_name|[network][interface][name]}
CISCOFW105008 \((?:Primary|Secondary)\) Testing [Ii]nterface %{NOTSPACE:interface_name|[network][interface][name]}
CISCOFW105009 \((?:Primary|Secondary)\) Testing on [Ii]nterface %{NOTSPACE:interface_name|[network][interface][name]} (?:Passed|Failed)
CISCOFW106001 ${DIRECTION} ${PROTOCOL} connection ${ACTION} from ${PLAIN_SRC} to ${PLAIN_DST} flags %{DATA:tcp_flags|[cisco][asa][tcp_flags]} on interface %{NOTSPACE:interface|[observer][egress][interface][name]}
CISCOFW106006_106007_106010 ${ACTION} ${DIRECTION} ${PROTOCOL} (?:from|src) ${PLAIN_SRC}${SRC_USER} (?:to|dst) ${PLAIN_DST}${DST_USER} (?:on interface %{NOTSPACE:interface|[observer][egress][interface][name]}|due to ${REASON})
CISCOFW106014 ${ACTION} ${DIRECTION} ${PROTOCOL} src ${SRC}${SRC_USER} dst ${DST}${DST_USER} ${ICMP}
CISCOFW106015 ${ACTION} ${PROTOCOL} \(%{DATA:policy_id|[cisco][asa][rule_name]}\) from ${PLAIN_SRC} to ${PLAIN_DST} flags %{DATA:tcp_flags|[cisco][asa][tcp_flags]} on interface %{NOTSPACE:interface|[observer][egress][interface][name]}
CISCOFW106021 ${ACTION} ${PROTOCOL} reverse path check from %{IP:src_ip|[source][ip]} to %{IP:dst_ip|[destination][ip]} on interface %{NOTSPACE:interface|[observer][egress][interface][name]}
CISCOFW106023 ${ACTION}(?: protocol)? ${PROTOCOL} src %{DATA:src_interface|[observer][ingress][interface][name]}:%{DATA:src_ip|[source][address]}(?:${SRC_PORT})?${SRC_USER} dst %{DATA:dst_interface|[observer][egress][interface][name]}:%{DATA:dst_ip|[destination][address]}(?:${DST_PORT})?${DST_USER}(?: ${ICMP})? by access-group "?%{DATA:policy_id|[cisco][asa][rule_name]}"? ${HASHES}
CISCOFW106100_2_3 access-list ${LIST} ${ACTION} ${PROTOCOL} for user '%{DATA:src_fwuser|[user][name]}' %{DATA:src_interface|[observer][ingress][interface][name]}/%{IP:src_ip|[source][ip]}\(%{INT:src_port|[source][port]:int}\) -> %{DATA:dst_interface|[observer][egress][interface][name]}/%{IP:dst_ip|[destination][ip]}\(%{INT:dst_port|[destination][port]:int}\) hit-cnt ${HITS} ${HASHES}
CISCOFW106100 access-list ${LIST} ${ACTION} ${PROTOCOL} %{DATA:src_interface|[observer][ingress][interface][name]}/%{IP:src_ip|[source][ip]}\(%{INT:src_port|[source][port]:int}\)${SRC_USER} -> %{DATA:dst_interface|[observer][egress][interface][name]}/%{IP:dst_ip|[destination][ip]}\(%{INT:dst_port|[destination][port]:int}\)${DST_USER} hit-cnt ${HITS} ${HASHES}
CISCOFW304001 %{IP:src_ip|[source][ip]}${SRC_USER} Accessed URL %{IP:dst_ip|[destination][ip]}:%{GREEDYDATA:dst_url|[url][original]}
CISCOFW110002 ${REASON} for ${PROTOCOL} from ${SRC}${SRC_PORT} to ${PLAIN_DST}
CISCOFW302010 %{INT:connection_count|[cisco][asa][connections][in_use]:int} in use, %{INT:connection_count_max|[cisco][asa][connections][most_used]:int} most used
CISCOFW302013_302014_302015_302016 ${ACTION}(?: ${DIRECTION})? ${PROTOCOL} connection %{INT:connection_id|[cisco][asa][connection_id]} for ${SRC}${SRC_PORT}(?: \(%{IP:src_mapped_ip|[source][nat][ip]}/%{INT:src_mapped_port|[source][nat][port]:int}\))?${SRC_USER} to ${DST}${DST_PORT}(?: \(%{IP:dst_mapped_ip|[destination][nat][ip]}/%{INT:dst_mapped_port|[destination][nat][port]:int}\))?${DST_USER}(?: duration %{TIME:duration|[cisco][asa][duration_hms]} bytes %{INT:bytes|[network][bytes]:int})?(?: ${REASON})?(?: \(%{DATA:user|[user][name]}\))?
CISCOFW302020_302021 ${ACTION}(?: ${DIRECTION})? ${PROTOCOL} connection for faddr %{IP:dst_ip|[destination][ip]}/%{INT:icmp_seq_num|[cisco][asa][icmp_seq]:int}(?:\(%{DATA:fwuser|[destination][user][name]}\))? gaddr %{IP:src_xlated_ip|[source][nat][ip]}/%{INT:icmp_code_xlated|[cisco][asa][icmp_code_xlated]:int} laddr %{IP:src_ip|[source][ip]}/%{INT:icmp_code|[cisco][asa][icmp_code]:int}(?: \(%{DATA:user|[user][name]}\))?
CISCOFW305011 ${ACTION} %{CISCO_XLATE_TYPE:xlate_type|[cisco][asa][xlate_type]} ${PROTOCOL} translation from ${SRC}(?:${SRC_PORT})?${SRC_USER} to %{DATA:src_xlated_interface|[observer][egress][interface][name]}:%{IP:src_xlated_ip|[source][nat][ip]}/%{INT:src_xlated_port|[source][nat][port]:int}
CISCOFW313001_313004_313008 ${ACTION} ${PROTOCOL} type=%{INT:icmp_type|[cisco][asa][icmp_type]:int}, code=%{INT:icmp_code|[cisco][asa][icmp_code]:int} from %{IP:src_ip|[source][ip]} on interface %{NOTSPACE:interface|[observer][egress][interface][name]}(?: to %{IP:dst_ip|[destination][ip]})?
CISCOFW321001 Resource '%{DATA:resource_name|[cisco][asa][resource][name]}' limit of %{POSINT:resource_limit|[cisco][asa][resource][limit]:int} reached for system
CISCOFW402117 ${PROTOCOL}: Received a non-IPSec packet \(protocol= ?%{WORD:orig_protocol|[cisco][asa][ip_protocol]}\) from %{IP:src_ip|[source][ip]} to %{IP:dst_ip|[destination][ip]}\.?
CISCOFW402119 ${PROTOCOL}: Received an %{WORD:orig_protocol|[cisco][asa][ipsec][protocol]} packet \(SPI= ?%{DATA:spi|[cisco][asa][ipsec][spi]}, sequence number= ?%{DATA:seq_num|[cisco][asa][ipsec][seq_num]}\) from %{IP:src_ip|[source][ip]} \(user= ?%{DATA:user|[user][name]}\) to %{IP:dst_ip|[destination][ip]} that failed anti-replay checking
CISCOFW419001 ${ACTION} ${PROTOCOL} packet from ${SRC}${SRC_PORT} to ${DST}${DST_PORT}, reason: %{GREEDYDATA:reason|[event][reason]}
CISCOFW419002 ${REASON} from ${SRC}${SRC_PORT} to ${DST}${DST_PORT} with different initial sequence number
CISCOFW500004 ${REASON} for protocol=${PROTOCOL}, from ${PLAIN_SRC} to ${PLAIN_DST}
CISCOFW602303_602304 ${PROTOCOL}: An ${DIRECTION} %{DATA:tunnel_type|[cisco][asa][ipsec][tunnel_type]} SA \(SPI= ?%{DATA:spi|[cisco][asa][ipsec][spi]}\) between %{IP:src_ip|[source][ip]} and %{IP:dst_ip|[destination][ip]} \(user= ?%{DATA:user|[user][name]}\) has been ${ACTION}
CISCOFW710001_710002_710003_710005_710006 ${PROTOCOL} (?:request|access) ${ACTION} from ${PLAIN_SRC} to ${DST}${DST_PORT}
CISCOFW733100 \[\s*%{DATA:drop_type|[cisco][asa][burst][object]}\s*\] drop %{DATA:drop_rate_id|[cisco][asa][burst][id]} exceeded\. Current burst rate is %{INT:drop_rate_current_burst|[cisco][asa][burst][current_rate]:int} per second, max configured rate is %{INT:drop_rate_max_burst|[cisco][asa][burst][configured_rate]:int}; Current average rate is %{INT:drop_rate_current_avg|[cisco][asa][burst][avg_rate]:int} per second, max configured rate is %{INT:drop_rate_max_avg|[cisco][asa][burst][configured_avg_rate]:int}; Cumulative total count is %{INT:drop_total_count|[cisco][asa][burst][cumulative_count]:int}

NETSCREENSESSIONLOG %{SYSLOGTIMESTAMP:date|timestamp} %{IPORHOST:device|[observer][hostname]} %{NOTSPACE}: NetScreen device_id=%{WORD:device_id|[netscreen][device_id]}%{DATA}: start_time=%{QUOTEDSTRING:start_time|[netscreen][session][start_time]} duration=%{INT:duration|[netscreen][session][duration]:int} policy_id=%{INT:policy_id|[netscreen][policy_id]} service=%{DATA:service|[netscreen][service]} proto=%{INT:proto|[netscreen][protocol_number]:int} src zone=%{WORD:src_zone|[observer][ingress][zone]} dst zone=%{WORD:dst_zone|[observer][egress][zone]} action=%{WORD:action|[event][action]} sent=%{INT:sent|[source][bytes]:int} rcvd=%{INT:rcvd|[destination][bytes]:int} src=%{IPORHOST:src_ip|[source][address]} dst=%{IPORHOST:dst_ip|[destination][address]} src_port=%{INT:src_port|[source][port]:int} dst_port=%{INT:dst_port|[destination][port]:int}(?: src-xlated ip=%{IPORHOST:src_xlated_ip|[source][nat][ip]} port=%{INT:src_xlated_port|[source][nat][port]:int} dst-xlated ip=%{IPORHOST:dst_xlated_ip|[destination][nat][ip]} port=%{INT:dst_xlated_port|[destination][nat][port]:int} session_id=%{INT:session_id|[netscreen][session][id]} reason=%{GREEDYDATA:reason|[netscreen][session][reason]})?
`;
