/** Names of pairs of logfmt that become headers. Metas name these constants, and are read without running anything: literals only. */

export const PAIR_TIMES = 'time, ts, timestamp, t, datetime, Time, Timestamp';

export const PAIR_SEVERITIES = 'level, lvl, severity, Level, Severity, pri, at';

export const PAIR_MESSAGES = 'msg, message, Msg, Message';
