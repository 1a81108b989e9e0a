/** Steps that the counter is filled with at a time. The clock and the host can end the script only in between. */
export const FILLING = 128;
