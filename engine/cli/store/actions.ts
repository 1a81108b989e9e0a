/** Actions of `sluicebox store`. */
export const STORE_ACTIONS = ['list', 'remove', 'expire', 'compact', 'check'] as const;
