/** Levels of Windows' event log. */

/** LogAlways, Critical, Error, Warning, Information, Verbose. */
const BY_NUMBER = [6, 2, 3, 4, 6, 7];
/** Words of the Event Viewer and of Get-EventLog, also of some translations. */
const WORDS: Readonly<Record<string, number>> = {
  ...{ critical: 2, kritisch: 2, critique: 2, crítico: 2 },
  ...{ error: 3, fehler: 3, erreur: 3, errore: 3 },
  ...{ warning: 4, warnung: 4, avertissement: 4, advertencia: 4, avviso: 4 },
  ...{ information: 6, informationen: 6, información: 6, informazioni: 6, 'log always': 6, 0: 6 },
  ...{ verbose: 7, ausführlich: 7, détaillé: 7, detallado: 7, dettagliato: 7 },
  ...{
    'audit failure': 4,
    failureaudit: 4,
    'überwachung gescheitert': 4,
    'échec de l’audit': 4,
    'audit success': 6,
    successaudit: 6,
    'überwachung erfolgreich': 6,
  },
};
/** Bits of the keywords of failed audits. */
const AUDIT_FAILURE = 0x10_0000_0000_0000n;

/** Syslog's severity of a level, a word or a number; -1 when it is none. */
export function windowsSeverity(level: string): number {
  const number = /^\d$/.test(level) ? BY_NUMBER[Number(level)] : WORDS[level.toLowerCase()];
  return number ?? -1;
}

/** Whether keywords, in hexadecimal digits, are those of a failed audit. */
export function isAuditFailure(keywords: string): boolean {
  return /^(?:0x)?[0-9A-Fa-f]{1,16}$/.test(keywords) && (BigInt(`0x${keywords.replace(/^0x/, '')}`) & AUDIT_FAILURE) !== 0n;
}
