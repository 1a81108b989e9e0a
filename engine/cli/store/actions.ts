/** Actions of `sluicebox store`. */
export const STORE_ACTIONS = ['list', 'files', 'remove', 'expire', 'compact', 'check'] as const;
