/** Actions of `sluicebox queue`. */
export const QUEUE_ACTIONS = ['list', 'peek', 'drain'] as const;
