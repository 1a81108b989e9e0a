/**
 * Grok patterns for parts of lines, by the names that Logstash and Elasticsearch know them by. A line has a name and an expression in Ruby's syntax. In
 * `%{PATTERN:one|two}` the first name is the one of old, the second that of the Elastic Common Schema.
 */

const OCTET = '(?:25[0-5]|2[0-4][0-9]|[01]?[0-9]{1,2})';
const DOTTED = `${OCTET}(?:\\.${OCTET}){3}`;
const HEXTET = '[0-9A-Fa-f]{1,4}';

/** An address with eight groups, perhaps the last two as an IPv4 address, with one run of zeros as `::`, and perhaps a zone. */
function ipv6(): string {
  const forms = Array.from({ length: 7 }, (_, zeros) => {
    const before = 6 - zeros;
    const head = `${HEXTET}:`.repeat(before);
    const behind = `(?::${HEXTET}){1,${zeros + 1}}`;
    const dotted = zeros === 0 ? DOTTED : `(?::${HEXTET}){0,${zeros - 1}}:${DOTTED}`;
    return before === 0 ? `:(?:${dotted}|(?::${HEXTET}){1,7}|:)` : `${head}(?:${dotted}|${zeros === 0 ? `:${HEXTET}` : behind}|:)`;
  });
  return `(?:${`${HEXTET}:`.repeat(7)}(?:${HEXTET}|:)|${forms.join('|')})(?:%[0-9A-Za-z_.-]+)?`;
}

export const BASE_PATTERNS = String.raw`
USERNAME [\w.-]+
USER %{USERNAME}
EMAILLOCALPART [a-zA-Z][\w.+=:-]*
EMAILADDRESS %{EMAILLOCALPART}@%{HOSTNAME}
INT [+-]?[0-9]+
BASE10NUM (?<![0-9.+-])(?>[+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+))
NUMBER %{BASE10NUM}
BASE16NUM (?<![0-9A-Fa-f])[+-]?(?:0x)?[0-9A-Fa-f]+
BASE16FLOAT \b(?<![0-9A-Fa-f.])[+-]?(?:0x)?(?:[0-9A-Fa-f]+(?:\.[0-9A-Fa-f]*)?|\.[0-9A-Fa-f]+)\b
POSINT \b[1-9][0-9]*\b
NONNEGINT \b[0-9]+\b
WORD \b\w+\b
NOTSPACE \S+
SPACE \s*
DATA .*?
GREEDYDATA .*
QUOTEDSTRING (?<!\\)(?>"(?>\\.|[^\\"])*"|'(?>\\.|[^\\'])*'|${'`'}(?>\\.|[^\\${'`'}])*${'`'})
QS %{QUOTEDSTRING}
UUID [0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}
URN urn:[0-9A-Za-z][0-9A-Za-z-]*:(?:%[0-9A-Fa-f]{2}|[\w()+,.:=@;$!*'/?#-])+

CISCOMAC (?:[0-9A-Fa-f]{4}\.){2}[0-9A-Fa-f]{4}
WINDOWSMAC (?:[0-9A-Fa-f]{2}-){5}[0-9A-Fa-f]{2}
COMMONMAC (?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}
MAC (?:%{CISCOMAC}|%{WINDOWSMAC}|%{COMMONMAC})
IPV6 ${ipv6()}
IPV4 (?<![0-9])${DOTTED}(?![0-9])
IP (?:%{IPV6}|%{IPV4})
HOSTNAME \b[0-9A-Za-z][0-9A-Za-z-]*(?:\.[0-9A-Za-z][0-9A-Za-z-]*)*(?:\.?|\b)
HOST %{HOSTNAME}
IPORHOST (?:%{IP}|%{HOSTNAME})
HOSTPORT %{IPORHOST}:%{POSINT}

PATH (?:%{UNIXPATH}|%{WINPATH})
UNIXPATH (?:/[\w%!$@:.,+~-]*)+
TTY /dev/(?:pts|tty[pq]?)\w*/?[0-9]+
WINPATH (?>[A-Za-z]+:|\\)(?:\\[^\\?*]*)+
URIPROTO [A-Za-z][A-Za-z0-9+.-]+
URIHOST %{IPORHOST}(?::%{POSINT:port|[url][port]:int})?
URIPATH (?:/[\w$.+!*'(){},~:;=@#%&-]*)+
URIQUERY [\w$.+!*'|(){},~@#%&/=:;?\[\]<>-]*
URIPARAM \?%{URIQUERY}
URIPATHPARAM %{URIPATH}(?:%{URIPARAM})?
URI %{URIPROTO}://(?:%{USER}(?::[^@]*)?@)?(?:%{URIHOST})?(?:%{URIPATHPARAM})?

MONTH \b(?:[Jj]an(?:uar(?:y)?)?|[Ff]eb(?:ruar(?:y)?)?|[Mm](?:a|ä)?r(?:ch|z)?|[Aa]pr(?:il)?|[Mm]a(?:y|i)?|[Jj]un(?:e|i)?|[Jj]ul(?:y|i)?|[Aa]ug(?:ust)?|[Ss]ep(?:tember)?|[Oo](?:c|k)?t(?:ober)?|[Nn]ov(?:ember)?|[Dd]e(?:c|z)(?:ember)?)\b
MONTHNUM (?:0?[1-9]|1[0-2])
MONTHNUM2 (?:0[1-9]|1[0-2])
MONTHDAY (?:0[1-9]|[12][0-9]|3[01]|[1-9])
DAY (?:Mon(?:day)?|Tue(?:sday)?|Wed(?:nesday)?|Thu(?:rsday)?|Fri(?:day)?|Sat(?:urday)?|Sun(?:day)?)
YEAR (?>\d\d){1,2}
HOUR (?:2[0-3]|[01]?[0-9])
MINUTE [0-5][0-9]
SECOND (?:[0-5]?[0-9]|60)(?:[:.,][0-9]+)?
TIME %{HOUR}:%{MINUTE}:%{SECOND}(?![0-9])
DATE_US %{MONTHNUM}[/-]%{MONTHDAY}[/-]%{YEAR}
DATE_EU %{MONTHDAY}[./-]%{MONTHNUM}[./-]%{YEAR}
DATE (?:%{DATE_US}|%{DATE_EU})
ISO8601_TIMEZONE (?:Z|[+-]%{HOUR}(?::?%{MINUTE}))
ISO8601_SECOND %{SECOND}
TIMESTAMP_ISO8601 %{YEAR}-%{MONTHNUM}-%{MONTHDAY}[T ]%{HOUR}:?%{MINUTE}(?::?%{SECOND})?%{ISO8601_TIMEZONE}?
DATESTAMP %{DATE}[- ]%{TIME}
TZ (?:[APMCE][SD]T|UTC)
DATESTAMP_RFC822 %{DAY} %{MONTH} %{MONTHDAY} %{YEAR} %{TIME} %{TZ}
DATESTAMP_RFC2822 %{DAY}, %{MONTHDAY} %{MONTH} %{YEAR} %{TIME} %{ISO8601_TIMEZONE}
DATESTAMP_OTHER %{DAY} %{MONTH} %{MONTHDAY} %{TIME} %{TZ} %{YEAR}
DATESTAMP_EVENTLOG %{YEAR}%{MONTHNUM2}%{MONTHDAY}%{HOUR}%{MINUTE}%{SECOND}
SYSLOGTIMESTAMP %{MONTH} +%{MONTHDAY} %{TIME}
HTTPDATE %{MONTHDAY}/%{MONTH}/%{YEAR}:%{TIME} %{INT}
LOGLEVEL (?:[Aa]lert|ALERT|[Tt]race|TRACE|[Dd]ebug|DEBUG|[Nn]otice|NOTICE|[Ii]nfo(?:rmation)?|INFO(?:RMATION)?|[Ww]arn(?:ing)?|WARN(?:ING)?|[Ee]rr(?:or)?|ERR(?:OR)?|[Cc]rit(?:ical)?|CRIT(?:ICAL)?|[Ff]atal|FATAL|[Ss]evere|SEVERE|EMERG(?:ENCY)?|[Ee]merg(?:ency)?)

PROG [!-Z\\^-~]+
SYSLOGPROG %{PROG:program|[process][name]}(?:\[%{POSINT:pid|[process][pid]:int}\])?
SYSLOGHOST %{IPORHOST}
SYSLOGFACILITY <%{NONNEGINT:facility|[log][syslog][facility][code]:int}\.%{NONNEGINT:priority|[log][syslog][priority]:int}>
SYSLOGBASE %{SYSLOGTIMESTAMP:timestamp} (?:%{SYSLOGFACILITY} )?%{SYSLOGHOST:logsource|[host][hostname]} %{SYSLOGPROG}:
SYSLOGBASE2 (?:%{SYSLOGTIMESTAMP:timestamp}|%{TIMESTAMP_ISO8601:timestamp8601|timestamp})(?: %{SYSLOGFACILITY})?(?: %{SYSLOGHOST:logsource|[host][hostname]})?(?: %{SYSLOGPROG}:)?
SYSLOGLINE %{SYSLOGBASE2} %{GREEDYDATA:message}
SYSLOGPAMSESSION %{SYSLOGBASE} (?=%{GREEDYDATA:message})%{WORD:pam_module|[system][auth][pam][module]}\(%{DATA:pam_caller|[system][auth][pam][origin]}\): session %{WORD:pam_session_state|[system][auth][pam][session_state]} for user %{USERNAME:username|[user][name]}(?: by %{GREEDYDATA:pam_by|[system][auth][pam][by]})?
CRON_ACTION [A-Z ]+
CRONLOG %{SYSLOGBASE} \(%{USER:user|[user][name]}\) %{CRON_ACTION:action|[system][cron][action]} \(%{DATA:message}\)
SYSLOG5424PRINTASCII [!-~]+
SYSLOG5424PRI <%{NONNEGINT:syslog5424_pri|[log][syslog][priority]:int}>
SYSLOG5424SD \[%{DATA}\]+
SYSLOG5424BASE %{SYSLOG5424PRI}%{NONNEGINT:syslog5424_ver|[system][syslog][version]} +(?:%{TIMESTAMP_ISO8601:syslog5424_ts|timestamp}|-) +(?:%{IPORHOST:syslog5424_host|[host][hostname]}|-) +(?:-|%{SYSLOG5424PRINTASCII:syslog5424_app|[process][name]}) +(?:-|%{SYSLOG5424PRINTASCII:syslog5424_proc|[process][pid]}) +(?:-|%{SYSLOG5424PRINTASCII:syslog5424_msgid|[event][code]}) +(?:%{SYSLOG5424SD:syslog5424_sd|[system][syslog][structured_data]}|-|)
SYSLOG5424LINE %{SYSLOG5424BASE} +%{GREEDYDATA:syslog5424_msg|message}
`;
