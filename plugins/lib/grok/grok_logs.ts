/** Grok patterns for whole lines of programs; see `grok_base.ts`. */

export const LOG_PATTERNS = String.raw`
# Apache and those that write like it.
HTTPDUSER (?:%{EMAILADDRESS}|%{USER})
HTTPDERROR_DATE %{DAY} %{MONTH} %{MONTHDAY} %{TIME} %{YEAR}
HTTPD_COMMONLOG %{IPORHOST:clientip|[source][address]} (?:-|%{HTTPDUSER:ident|[apache][access][user][identity]}) (?:-|%{HTTPDUSER:auth|[user][name]}) \[%{HTTPDATE:timestamp}\] "(?:%{WORD:verb|[http][request][method]} %{NOTSPACE:request|[url][original]}(?: HTTP/%{NUMBER:httpversion|[http][version]})?|%{DATA:rawrequest|[http][request][raw]})" (?:-|%{NUMBER:response|[http][response][status_code]:int}) (?:-|%{NUMBER:bytes|[http][response][body][bytes]:int})
HTTPD_COMBINEDLOG %{HTTPD_COMMONLOG} "(?:-|%{DATA:referrer|[http][request][referrer]})" "(?:-|%{DATA:agent|[user_agent][original]})"
HTTPD20_ERRORLOG \[%{HTTPDERROR_DATE:timestamp}\] \[%{LOGLEVEL:loglevel|[log][level]}\] (?:\[client %{IPORHOST:clientip|[source][address]}\] )?%{GREEDYDATA:message}
HTTPD24_ERRORLOG \[%{HTTPDERROR_DATE:timestamp}\] \[(?:%{WORD:module|[apache][error][module]})?:%{LOGLEVEL:loglevel|[log][level]}\] \[pid %{POSINT:pid|[process][pid]:int}(?::tid %{NUMBER:tid|[process][thread][id]:int})?\](?: \(%{POSINT:proxy_errorcode|[apache][error][proxy][error][code]}\)%{DATA:proxy_message|[apache][error][proxy][error][message]}:)?(?: \[client %{IPORHOST:clientip|[source][address]}(?::%{POSINT:clientport|[source][port]:int})?\])?(?: %{DATA:errorcode|[error][code]}:)? %{GREEDYDATA:message}
HTTPD_ERRORLOG (?:%{HTTPD20_ERRORLOG}|%{HTTPD24_ERRORLOG})
COMMONAPACHELOG %{HTTPD_COMMONLOG}
COMBINEDAPACHELOG %{HTTPD_COMBINEDLOG}

# Java, Catalina, Tomcat.
JAVACLASS (?:[A-Za-z$_][\w$]*\.)*[A-Za-z$_][\w$]*
JAVAFILE (?:[\w$.-]+)
JAVAMETHOD (?:<(?:cl)?init>|[A-Za-z$_][\w$]*)
JAVASTACKTRACEPART \s*at\s+%{JAVACLASS:class|[java][log][origin][class][name]}\.%{JAVAMETHOD:method|[log][origin][function]}\(%{JAVAFILE:file|[log][origin][file][name]}(?::%{INT:line|[log][origin][file][line]:int})?\)
JAVATHREAD [A-Z]{2}-Processor\d+
JAVALOGMESSAGE .*
CATALINA_DATESTAMP %{MONTH} %{MONTHDAY}, %{YEAR} %{HOUR}:%{MINUTE}:%{SECOND} (?:AM|PM)
CATALINA7_DATESTAMP %{CATALINA_DATESTAMP}
CATALINA8_DATESTAMP %{MONTHDAY}-%{MONTH}-%{YEAR} %{HOUR}:%{MINUTE}:%{SECOND}
TOMCAT_DATESTAMP %{YEAR}-%{MONTHNUM}-%{MONTHDAY} %{HOUR}:%{MINUTE}:%{SECOND} %{ISO8601_TIMEZONE}
CATALINALOG (?:%{CATALINA_DATESTAMP:timestamp} %{JAVACLASS:class|[java][log][origin][class][name]}(?: %{JAVAMETHOD:method|[log][origin][function]})?\s+%{LOGLEVEL:level|[log][level]}: %{JAVALOGMESSAGE:logmessage|message}|%{CATALINA8_DATESTAMP:timestamp} %{LOGLEVEL:level|[log][level]} \[%{DATA:thread|[java][log][origin][thread][name]}\] %{JAVACLASS:class|[java][log][origin][class][name]}\.(?:%{JAVAMETHOD:method|[log][origin][function]}) %{JAVALOGMESSAGE:logmessage|message})
TOMCATLOG %{TOMCAT_DATESTAMP:timestamp} \| %{LOGLEVEL:level|[log][level]} \| %{JAVACLASS:class|[java][log][origin][class][name]} - %{JAVALOGMESSAGE:logmessage|message}

# HAProxy.
HAPROXYTIME %{HOUR:haproxy_hour|}:%{MINUTE:haproxy_minute|}:%{SECOND:haproxy_second|}(?![0-9])
HAPROXYDATE %{MONTHDAY:haproxy_monthday|}/%{MONTH:haproxy_month|}/%{YEAR:haproxy_year|}:%{HAPROXYTIME:haproxy_time|}\.%{INT:haproxy_milliseconds|}
HAPROXYCAPTUREDREQUESTHEADERS %{DATA:captured_request_headers|[haproxy][http][request][captured_headers]}
HAPROXYCAPTUREDRESPONSEHEADERS %{DATA:captured_response_headers|[haproxy][http][response][captured_headers]}
HAPROXYURI (?:%{URIPROTO:http_proto|[url][scheme]}://)?(?:%{USER:http_user|[url][username]}(?::[^@]*)?@)?(?:%{URIHOST:http_host|[url][domain]})?(?:%{URIPATHPARAM:http_request|[url][original]})?
HAPROXYHTTPREQUESTLINE (?:<BADREQ>|%{WORD:http_verb|[http][request][method]} %{HAPROXYURI}(?: HTTP/%{NUMBER:http_version|[http][version]})?)
HAPROXYHTTPBASE %{IP:client_ip|[source][address]}:%{INT:client_port|[source][port]:int} \[%{HAPROXYDATE:accept_date|[haproxy][request_date]}\] %{NOTSPACE:frontend_name|[haproxy][frontend_name]} %{NOTSPACE:backend_name|[haproxy][backend_name]}/%{NOTSPACE:server_name|[haproxy][server_name]} %{INT:time_request|[haproxy][http][request][time_wait_ms]:int}/%{INT:time_queue|[haproxy][total_waiting_time_ms]:int}/%{INT:time_backend_connect|[haproxy][connection_wait_time_ms]:int}/%{INT:time_backend_response|[haproxy][http][request][time_wait_without_data_ms]:int}/%{NOTSPACE:time_duration|[haproxy][total_time_ms]} %{INT:http_status_code|[http][response][status_code]:int} %{NOTSPACE:bytes_read|[source][bytes]} %{DATA:captured_request_cookie|[haproxy][http][request][captured_cookie]} %{DATA:captured_response_cookie|[haproxy][http][response][captured_cookie]} %{NOTSPACE:termination_state|[haproxy][termination_state]} %{INT:actconn|[haproxy][connections][active]:int}/%{INT:feconn|[haproxy][connections][frontend]:int}/%{INT:beconn|[haproxy][connections][backend]:int}/%{INT:srvconn|[haproxy][connections][server]:int}/%{NOTSPACE:retries|[haproxy][connections][retries]} %{INT:srv_queue|[haproxy][server_queue]:int}/%{INT:backend_queue|[haproxy][backend_queue]:int} (?:\{%{HAPROXYCAPTUREDREQUESTHEADERS}\} ?)?(?:\{%{HAPROXYCAPTUREDRESPONSEHEADERS}\} ?)?"%{HAPROXYHTTPREQUESTLINE}?"?
HAPROXYHTTP (?:%{SYSLOGTIMESTAMP:syslog_timestamp|timestamp}|%{TIMESTAMP_ISO8601:timestamp8601|timestamp}) %{IPORHOST:syslog_server|[host][hostname]} %{SYSLOGPROG}: %{HAPROXYHTTPBASE}
HAPROXYTCP (?:%{SYSLOGTIMESTAMP:syslog_timestamp|timestamp}|%{TIMESTAMP_ISO8601:timestamp8601|timestamp}) %{IPORHOST:syslog_server|[host][hostname]} %{SYSLOGPROG}: %{IP:client_ip|[source][address]}:%{INT:client_port|[source][port]:int} \[%{HAPROXYDATE:accept_date|[haproxy][request_date]}\] %{NOTSPACE:frontend_name|[haproxy][frontend_name]} %{NOTSPACE:backend_name|[haproxy][backend_name]}/%{NOTSPACE:server_name|[haproxy][server_name]} %{INT:time_queue|[haproxy][total_waiting_time_ms]:int}/%{INT:time_backend_connect|[haproxy][connection_wait_time_ms]:int}/%{NOTSPACE:time_duration|[haproxy][total_time_ms]} %{NOTSPACE:bytes_read|[source][bytes]} %{NOTSPACE:termination_state|[haproxy][termination_state]} %{INT:actconn|[haproxy][connections][active]:int}/%{INT:feconn|[haproxy][connections][frontend]:int}/%{INT:beconn|[haproxy][connections][backend]:int}/%{INT:srvconn|[haproxy][connections][server]:int}/%{NOTSPACE:retries|[haproxy][connections][retries]} %{INT:srv_queue|[haproxy][server_queue]:int}/%{INT:backend_queue|[haproxy][backend_queue]:int}
HAPROXYERROR (?:%{SYSLOGTIMESTAMP:syslog_timestamp|timestamp}|%{TIMESTAMP_ISO8601:timestamp8601|timestamp}) %{IPORHOST:syslog_server|[host][hostname]} %{SYSLOGPROG}: %{IP:client_ip|[source][address]}:%{INT:client_port|[source][port]:int} \[%{HAPROXYDATE:accept_date|[haproxy][request_date]}\] %{NOTSPACE:frontend_name|[haproxy][frontend_name]}/%{NOTSPACE:bind_name|[haproxy][bind_name]}: %{GREEDYDATA:error_message|[error][message]}

# Databases and caches.
POSTGRESQL %{DATESTAMP:timestamp} %{TZ} %{DATA:user_id|[user][name]} %{GREEDYDATA:connection_id|[postgresql][log][connection_id]} %{POSINT:pid|[process][pid]:int}
REDISTIMESTAMP %{MONTHDAY} %{MONTH} %{TIME}
REDISLOG \[%{POSINT:pid|[process][pid]:int}\] %{REDISTIMESTAMP:timestamp} \* 
REDISMONLOG %{NUMBER:timestamp} \[%{INT:database|[redis][database][id]} %{IP:client|[client][ip]}:%{NUMBER:port|[client][port]:int}\] "%{WORD:command|[redis][command][name]}"\s?%{GREEDYDATA:params|[redis][command][args]}
MONGO_LOG %{SYSLOGTIMESTAMP:timestamp} \[%{WORD:component|[mongodb][component]}\] %{GREEDYDATA:message}
MONGO_QUERY \{ .*? \}(?= ntoreturn:)
MONGO_SLOWQUERY %{WORD} %{MONGO_WORDDASH:database|[mongodb][database]}\.%{MONGO_WORDDASH:collection|[mongodb][collection]} %{WORD}: %{MONGO_QUERY:query|[mongodb][query][original]} %{WORD}:%{NONNEGINT:ntoreturn|[mongodb][profile][ntoreturn]:int} %{WORD}:%{NONNEGINT:ntoskip|[mongodb][profile][ntoskip]:int} %{WORD}:%{NONNEGINT:nscanned|[mongodb][profile][nscanned]:int}.*nreturned:%{NONNEGINT:nreturned|[mongodb][profile][nreturned]:int}.* %{POSINT:duration|[mongodb][profile][duration]:int}ms
MONGO_WORDDASH \b[\w-]+\b
MONGO3_SEVERITY \w
MONGO3_COMPONENT (?:%{WORD}|-)
MONGO3_LOG %{TIMESTAMP_ISO8601:timestamp} %{MONGO3_SEVERITY:severity|[log][level]} +%{MONGO3_COMPONENT:component|[mongodb][component]}%{SPACE}(?:\[%{DATA:context|[mongodb][context]}\])? %{GREEDYDATA:message}

# Amazon Web Services.
S3_REQUEST_LINE (?:%{WORD:verb|[http][request][method]} %{NOTSPACE:request|[url][original]}(?: HTTP/%{NUMBER:httpversion|[http][version]})?|%{DATA:rawrequest|[http][request][raw]})
S3_ACCESS_LOG %{WORD:owner|[aws][s3access][bucket_owner]} %{NOTSPACE:bucket|[aws][s3access][bucket]} \[%{HTTPDATE:timestamp}\] (?:-|%{IP:clientip|[client][ip]}) (?:-|%{NOTSPACE:requester|[client][user][id]}) %{NOTSPACE:request_id|[aws][s3access][request_id]} %{NOTSPACE:operation|[aws][s3access][operation]} (?:-|%{NOTSPACE:key|[aws][s3access][key]}) (?:-|"-"|"%{S3_REQUEST_LINE}") (?:-|%{INT:response:int|[http][response][status_code]:int}) (?:-|%{NOTSPACE:error_code|[aws][s3access][error_code]}) (?:-|%{INT:bytes:int|[aws][s3access][bytes_sent]:int}) (?:-|%{INT:object_size:int|[aws][s3access][object_size]:int}) (?:-|%{INT:request_time_ms:int|[aws][s3access][total_time]:int}) (?:-|%{INT:turnaround_time_ms:int|[aws][s3access][turn_around_time]:int}) "(?:-|%{DATA:referrer|[http][request][referrer]})" "(?:-|%{DATA:agent|[user_agent][original]})" (?:-|%{NOTSPACE:version_id|[aws][s3access][version_id]})
ELB_URIPATHPARAM %{URIPATH:path|[url][path]}(?:%{URIPARAM:params|[url][query]})?
ELB_URI %{URIPROTO:proto|[url][scheme]}://(?:%{USER}(?::[^@]*)?@)?(?:%{URIHOST:urihost|[url][domain]})?(?:%{ELB_URIPATHPARAM})?
ELB_REQUEST_LINE (?:%{WORD:verb|[http][request][method]} %{ELB_URI:request|[url][original]}(?: HTTP/%{NUMBER:httpversion|[http][version]})?|%{DATA:rawrequest|[http][request][raw]})
ELB_ACCESS_LOG %{TIMESTAMP_ISO8601:timestamp} %{NOTSPACE:elb|[aws][elb][name]} %{IP:clientip|[source][ip]}:%{INT:clientport:int|[source][port]:int} (?:%{IP:backendip|[aws][elb][backend][ip]}:%{INT:backendport:int|[aws][elb][backend][port]:int}|-) (?:-1|%{NUMBER:request_processing_time:float|[aws][elb][request_processing_time][sec]:float}) (?:-1|%{NUMBER:backend_processing_time:float|[aws][elb][backend_processing_time][sec]:float}) (?:-1|%{NUMBER:response_processing_time:float|[aws][elb][response_processing_time][sec]:float}) %{INT:response:int|[http][response][status_code]:int} (?:-|%{INT:backend_response:int|[aws][elb][backend][http][response][status_code]:int}) %{INT:received_bytes:int|[http][request][body][size]:int} %{INT:bytes:int|[http][response][body][size]:int} "%{ELB_REQUEST_LINE}"(?: "(?:-|%{DATA:agent|[user_agent][original]})" (?:-|%{NOTSPACE:ssl_cipher|[tls][cipher]}) (?:-|%{NOTSPACE:ssl_protocol|[aws][elb][ssl_protocol]}))?
CLOUDFRONT_ACCESS_LOG (?<timestamp>%{YEAR}-%{MONTHNUM}-%{MONTHDAY}\t%{TIME})\t%{NOTSPACE:x_edge_location|[aws][cloudfront][x_edge_location]}\t(?:-|%{NUMBER:sc_bytes:int|[destination][bytes]:int})\t%{IPORHOST:clientip|[source][ip]}\t%{WORD:cs_method|[http][request][method]}\t%{HOSTNAME:cs_host|[url][domain]}\t%{NOTSPACE:cs_uri_stem|[url][path]}\t(?:-|000|%{NUMBER:sc_status:int|[http][response][status_code]:int})\t(?:-|%{NOTSPACE:referrer|[http][request][referrer]})\t%{NOTSPACE:agent|[user_agent][original]}\t(?:-|%{NOTSPACE:cs_uri_query|[url][query]})\t(?:-|%{NOTSPACE:cookies|[aws][cloudfront][http][request][cookie]})\t%{WORD:x_edge_result_type|[aws][cloudfront][x_edge_result_type]}\t%{NOTSPACE:x_edge_request_id|[aws][cloudfront][x_edge_request_id]}\t%{HOSTNAME:x_host_header|[aws][cloudfront][http][request][host]}\t%{URIPROTO:cs_protocol|[network][protocol]}\t(?:-|%{INT:cs_bytes:int|[source][bytes]:int})\t%{NUMBER:time_taken:float|[aws][cloudfront][time_taken]:float}\t(?:-|%{NOTSPACE:x_forwarded_for|[network][forwarded_ip]})\t(?:-|%{NOTSPACE:ssl_protocol|[aws][cloudfront][ssl_protocol]})\t(?:-|%{NOTSPACE:ssl_cipher|[tls][cipher]})\t%{NOTSPACE:x_edge_response_result_type|[aws][cloudfront][x_edge_response_result_type]}

# BIND.
BIND9_TIMESTAMP %{MONTHDAY}[-]%{MONTH}[-]%{YEAR} %{TIME}
BIND9_DNSTYPE (?:A|AAAA|CAA|CDNSKEY|CDS|CERT|CNAME|CSYNC|DLV|DNAME|DNSKEY|DS|HINFO|LOC|MX|NAPTR|NS|NSEC|NSEC3|OPENPGPKEY|PTR|RRSIG|RP|SIG|SMIMEA|SOA|SRV|TSIG|TXT|URI)
BIND9_CATEGORY queries
BIND9_QUERYLOGBASE client(?::? @0x[0-9A-Fa-f]+)? %{IP:clientip|[client][ip]}#%{POSINT:clientport|[client][port]:int} \(%{NOTSPACE:query|[bind][log][question][name]}\): query: %{NOTSPACE:query|[dns][question][name]} (?:IN|%{WORD:queryclass|[dns][question][class]}) %{BIND9_DNSTYPE:querytype|[dns][question][type]}(?: %{DATA:queryflags|[bind][log][question][flags]} \(%{IP:dns|[server][ip]}\))?
BIND9_QUERYLOG %{BIND9_TIMESTAMP:timestamp} (?:%{BIND9_CATEGORY}: )?(?:%{LOGLEVEL:loglevel|[log][level]}: )?%{BIND9_QUERYLOGBASE}
BIND9 %{BIND9_QUERYLOG}

# Ruby and Rails.
RUBY_LOGLEVEL (?:DEBUG|FATAL|ERROR|WARN|INFO|ANY)
RUBY_LOGGER [DFEWIA], \[%{TIMESTAMP_ISO8601:timestamp} #%{POSINT:pid|[process][pid]:int}\] *%{RUBY_LOGLEVEL:loglevel|[log][level]} -- +%{DATA:progname|[process][name]}: %{GREEDYDATA:message}
RUUID [0-9A-Fa-f]{32}
RCONTROLLER (?<controller>[^#]+)#(?<action>\w+)
RAILS3HEAD Started %{WORD:verb|[http][request][method]} "%{URIPATHPARAM:request|[url][original]}" for %{IPORHOST:clientip|[source][address]} at (?<timestamp>%{YEAR}-%{MONTHNUM}-%{MONTHDAY} %{HOUR}:%{MINUTE}:%{SECOND} %{ISO8601_TIMEZONE})
RPROCESSING \W*Processing by %{RCONTROLLER} as (?<format>\S+)(?:\W*Parameters: \{%{DATA:params|[rails][request][params]}\}\W*)?
RAILS3FOOT Completed %{POSINT:response|[http][response][status_code]:int}%{DATA} in %{NUMBER:totalms|[rails][request][duration][total]:float}ms %{RAILS3PROFILE}%{GREEDYDATA}
RAILS3PROFILE (?:\(Views: %{NUMBER:viewms|[rails][request][duration][view]:float}ms \| ActiveRecord: %{NUMBER:activerecordms|[rails][request][duration][active_record]:float}ms|\(ActiveRecord: %{NUMBER:activerecordms|[rails][request][duration][active_record]:float}ms)?
RAILS3 %{RAILS3HEAD}(?:%{RPROCESSING})?(?<context>(?:%{DATA}\n)*)(?:%{RAILS3FOOT})?

# Squid, Maven.
SQUID3_STATUS (?:%{POSINT:http_status_code|[http][response][status_code]:int}|0|000)
SQUID3 %{NUMBER:timestamp}\s+%{NUMBER:duration|[squid][request][duration]:int}\s%{IP:client_address|[source][ip]}\s%{WORD:cache_result|[event][action]}/%{SQUID3_STATUS}\s%{NUMBER:bytes|[http][response][bytes]:int}\s%{WORD:request_method|[http][request][method]}\s%{NOTSPACE:url|[url][original]}\s(?:-|%{NOTSPACE:user|[user][name]})\s%{WORD:hierarchy_code|[squid][hierarchy_code]}/(?:-|%{IPORHOST:server|[destination][address]})\s(?:-|%{NOTSPACE:content_type|[http][response][mime_type]})
MAVEN_VERSION (?:\d+\.\d+(?:\.\d+)?(?:[.-](?:RELEASE|SNAPSHOT))?)
`;
