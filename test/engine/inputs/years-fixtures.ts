const NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export function line(ms: number): string {
  const date = new Date(ms);
  return `${NAMES[date.getUTCMonth()]} ${String(date.getUTCDate()).padStart(2)} 13:07:59 box1 cron[7]: tick`;
}
