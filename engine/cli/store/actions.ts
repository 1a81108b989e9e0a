/** What `sluicebox store` does. */
export const STORE_ACTIONS = ['list', 'remove', 'expire', 'compact', 'check'] as const;
