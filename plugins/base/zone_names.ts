/** Short names of zones, as programs write them beside times. */

/** Hours ahead of UTC; of a name that several zones have, the one that most programs mean stands first. */
const HOURS: ReadonlyMap<string, readonly number[]> = new Map([
  ...named(
    'UTC 0,GMT 0,UCT 0,WET 0,WEST 1,CET 1,MET 1,MEZ 1,CEST 2,MEST 2,MESZ 2,EET 2,SAST 2,EEST 3,MSK 3,TRT 3,PKT 5,NPT 5.75,WIB 7,AWST 8,SGT 8,HKT 8',
  ),
  ...named('JST 9,KST 9,ACST 9.5,AEST 10,ACDT 10.5,AEDT 11,NZST 12,NZDT 13,NST -3.5,NDT -2.5,BRT -3,BRST -2,ADT -3,AST -4 3'),
  ...named('EST -5 10 11,EDT -4 11,CST -6 8,CDT -5 9,MST -7,MDT -6,PST -8,PDT -7,AKST -9,AKDT -8,HST -10,HDT -9,BST 1 6,IST 5.5 2 1,IDT 3'),
]);

function named(names: string): [string, readonly number[]][] {
  return names.split(',').map((line) => {
    const [name = '', ...hours] = line.split(' ');
    return [name, hours.map(Number)];
  });
}

/**
 * Hours that a zone of this name is ahead of UTC; undefined when the name is not known.
 * @param ahead seconds of the clock that times without a zone are in: it tells the zones of one name apart
 */
export function zoneHours(name: string, ahead = 0): number | undefined {
  const hours = HOURS.get(name);
  return hours === undefined || hours.length === 1 ? hours?.[0] : (hours.find((one) => one * 3600 === ahead) ?? hours[0]);
}
