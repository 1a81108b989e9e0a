import type { AllRequests, RulesLook, RulesState } from '../../engine/api/types.ts';

const FOLDER = '/home/maria/sigma/rules';

const LOOK: RulesLook = {
  loaded: 212,
  refused: 2,
  faults: [
    {
      file: `${FOLDER}/web/count.yml`,
      line: 14,
      rule: 'Many logins',
      text: 'aggregations (|) are not known: correlations have replaced them',
    },
    { file: `${FOLDER}/linux/broken.yml`, line: 3, rule: '', text: 'the map ends too early', kept: true },
  ],
  withoutDecoder: [['okta', 9]],
};

const rule = (title: string, level: RulesState['rules'][number]['level'], hits: number): RulesState['rules'][number] => ({
  key: title,
  title,
  level,
  file: `${FOLDER}/web/${title.toLowerCase().replaceAll(' ', '_')}.yml`,
  line: 1,
  on: true,
  hits,
  marked: Math.min(hits, 250_000),
  first: hits === 0 ? null : Date.now() - 7_200_000,
  last: hits === 0 ? null : Date.now() - 60_000,
  full: false,
});

const STATE: RulesState = {
  ...LOOK,
  state: 'ready',
  searched: 100_000,
  of: 100_000,
  hits: 1_204_331,
  version: 1,
  problem: null,
  own: '/home/maria/.config/sluicebox/rules',
  folders: [
    { kind: 'bundled', path: '/opt/sluicebox/resources/rules' },
    { kind: 'chosen', path: FOLDER },
  ],
  rules: [
    rule('Paths that lead out of the web root', 'high', 12),
    rule('A scanner of web servers', 'medium', 4318),
    rule('Not found again and again', 'low', 1_200_001),
    rule('Secret files of a web server', 'medium', 0),
  ],
};

/** Answers about rules, of a workspace that has some. */
export const rulesAnswers = {
  'rules.get': (): RulesState => STATE,
  'rules.look': (): RulesLook => LOOK,
  'rules.add': () => null,
  'rules.remove': () => null,
  'rules.set': () => null,
  'rules.run': () => null,
  'shell.chooseRules': (): AllRequests['shell.chooseRules']['out'] => ({ path: FOLDER }),
} as const;
