/** Each worker opens its windows on a display of its own, where there are some. */
const { SLUICEBOX_DISPLAYS, VITEST_POOL_ID } = process.env;
if (SLUICEBOX_DISPLAYS !== undefined) {
  const displays = JSON.parse(SLUICEBOX_DISPLAYS) as readonly Record<string, string>[];
  Object.assign(process.env, displays[Number(VITEST_POOL_ID) - 1]);
}
