/**
 * Members of JSON objects that become headers, by the names that logging libraries and services give them; the first one that a record has counts.
 * Metas name these constants, and are read without running anything: literals only.
 */

export const TIMES = 'time, timestamp, @timestamp, ts, datetime, __REALTIME_TIMESTAMP, instant, timestampSeconds';

/** Severities. The last ones are numbers of Python, Logback and OpenTelemetry. */
export const SEVERITIES =
  'level, severity, lvl, log.level, PRIORITY, levelname, level_name, loglevel, log_level, logLevel, LogLevel, Level, severityText, severity_text, SeverityText, Severity, LEVEL, sev, level.levelStr, level.name, @fields.level, @fields.severity, @level, levelno, level_value, level.value, severityNumber, severity_number, SeverityNumber';

/** Messages. The last ones are of .NET, Serilog, structlog, Google's services, Rust's tracing, Okta, OpenTelemetry and Splunk. */
export const MESSAGES =
  'message, msg, log, MESSAGE, Message, RenderedMessage, MessageTemplate, event, textPayload, jsonPayload.message, fields.message, displayMessage, Msg, body, body.stringValue, Body, _raw, @message';

export const HOSTS = 'hostname, host.name, _HOSTNAME, hostName, Hostname, HOST';

/** Loggers. The last ones are of log4j, Monolog, .NET, Serilog, Elasticsearch, HashiCorp's programs and syslog-ng. */
export const LOGGERS =
  'logger, logger_name, log.logger, loggerName, channel, Category, SourceContext, Properties.SourceContext, component, @module, PROGRAM';

export const PROCESSES = 'pid, process.pid, _PID, processId, ProcessID, PID';
