/** The tokens of what is typed as a filter, each to be found at a place. Pure. */

export const OPERATOR = /==|!=|>=|<=|=~|!~|>|<|=|~/y;
export const SPACED_OPERATOR = new RegExp(String.raw`\s*(?:${OPERATOR.source})`, 'y');
export const CONNECTIVE = /&&|\|\||\band\b|\bor\b/iy;
/** A colon right behind a name, and a value right behind that: `http://` and `error: text` are text. */
export const COLON = /:(?=[^\s/]|\/(?!\/)|$)/y;
export const ORDER = />=|<=|>|</y;
export const LIST = /(?:\bnot\s+)?\bin\s*\(/iy;
/** Of addresses, without brackets: `remote_addr in 10.0.0.0/8`, `remote_addr in @blocked`. */
export const IN = /(?:\bnot\s+)?\bin\s+(?=@[\w-]|[\da-f.:]*[.:][\da-f.:]*(?:\/|[\s()&|]|$))/iy;
export const NETWORK = /^[\da-f.:]*[.:][\da-f.:]*\/\d*$/i;
/** In front of a name. */
export const NOT = /[-!](?=[\p{L}_])|not\s+(?=[\p{L}_])/iuy;
export const BLANK = /\s*/y;
export const STRICT_FIELD = /Fields\[[^\]]+\](?:\[\d+\]){0,2}/y;
export const NAME = /[\p{L}_][\p{L}\p{N}_.-]*/uy;
/** A lookup and its column behind a name: `remote_addr@geo.country`. */
export const LOOKUP = /@[\w-]+\.[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*/uy;
/** The same in front of a test. */
export const LOOKUP_TEST = new RegExp(String.raw`${LOOKUP.source}(?=:[^\s/]|\s*(?:${OPERATOR.source}))`, 'uy');
export const QUOTED = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/y;
export const PATTERN = /\/(?:[^/\\]|\\.)*\//y;
export const WORD = /[^\s()&|]+/y;
/** Any value. */
export const ANY = /\*(?=[\s()&|]|$)/y;
export const LISTED = /[^\s(),]+/y;
/** Names that logs have for the severity, in front of the word for one: `level:error`, `level >= warn`, `lvl in (warn, error)`. */
export const LEVEL =
  /(?:(?:log|severity)[._]?)?(?:level|lvl)(?=\s*(?:==|!=|>=|<=|[=><]|:(?:>=|<=|[><])?)\s*["']?([a-z]{3,})\b|\s+(?:not\s+)?in\s*\(\s*["']?([a-z]{3,})\b)/iy;
export const LIST_GOES_ON = /,|\|\||\bor\b/iy;
/** The record's text, in front of its test. */
export const MESSAGE = /message(?=:(?:[^\s/]|\/(?!\/))|\s*(?:[!=]=|[!=]~|=|~))/iy;
export const TRUTH = /(?:TRUE|FALSE)(?![^\s()&|])/y;
/** In front of a text. */
export const NOT_TEXT = /[-!](?=[\p{L}_'"])|not\s+(?=[\p{L}_'"/])/iuy;
/** A word of a text, without what compares or connects. */
export const TEXT_WORD = /[^\s()&|=<>!~'"][^\s()&|=<>'"]*(?![=<>'"])/y;
/** A regular expression that stands alone. */
export const TEXT_PATTERN = /\/(?:[^/\\]|\\.)+\/(?=[\s()&|]|$)/y;
