/** Levels of Windows' event log. */

/** LogAlways, Critical, Error, Warning, Information, Verbose. */
const BY_NUMBER = [6, 2, 3, 4, 6, 7];
/** Words of the Event Viewer and of Get-EventLog, also of some translations, by severity. */
const WORDS: readonly (readonly [severity: number, words: readonly string[]])[] = [
  [2, ['critical', 'kritisch', 'critique', 'crítico']],
  [3, ['error', 'fehler', 'erreur', 'errore']],
  [4, ['warning', 'warnung', 'avertissement', 'advertencia', 'avviso']],
  [4, ['audit failure', 'failureaudit', 'überwachung gescheitert', 'échec de l’audit']],
  [6, ['information', 'informationen', 'información', 'informazioni', 'log always']],
  [6, ['audit success', 'successaudit', 'überwachung erfolgreich']],
  [7, ['verbose', 'ausführlich', 'détaillé', 'detallado', 'dettagliato']],
];
const SEVERITIES = new Map(WORDS.flatMap(([severity, words]) => words.map((word): [string, number] => [word, severity])));
/** Bits of the keywords of failed audits. */
const AUDIT_FAILURE = 0x10_0000_0000_0000n;

/** Syslog's severity of a level, a word or a number; -1 when it is none. */
export function windowsSeverity(level: string): number {
  const number = /^\d$/.test(level) ? BY_NUMBER[Number(level)] : SEVERITIES.get(level.toLowerCase());
  return number ?? -1;
}

/** Whether keywords, in hexadecimal digits, are those of a failed audit. */
export function isAuditFailure(keywords: string): boolean {
  return /^(?:0x)?[0-9A-Fa-f]{1,16}$/.test(keywords) && (BigInt(`0x${keywords.replace(/^0x/, '')}`) & AUDIT_FAILURE) !== 0n;
}
