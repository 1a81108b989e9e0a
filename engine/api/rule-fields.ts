/** The levels of rules, and the fields that their hits give records. */

/** The levels of rules, the least first. */
export const RULE_LEVELS = ['informational', 'low', 'medium', 'high', 'critical'] as const;
export type RuleLevel = (typeof RULE_LEVELS)[number];

/** The fields that a record has where rules are true of it: their titles, and the highest of their levels. No decoder makes them. */
export const RULE_FIELD = 'sigma_rule';
export const RULE_LEVEL_FIELD = 'sigma_level';

/** Whether a record gets a field after it was read. */
export const isLaterField = (name: string): boolean => name === RULE_FIELD || name === RULE_LEVEL_FIELD;
