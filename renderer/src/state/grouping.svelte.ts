/** Fields by which the Query view groups records. They stay while another view is shown. */
export class Grouping {
  /** The variable that it was asked for; null: whatever there is. */
  readonly variable: string | null;
  /** Whether it was shown: a chosen variable is asked for once. */
  taken = false;
  /** Name of the table; null: the one that fits the variable. */
  table = $state<string | null>(null);
  /** Expression to group by, as SQL; empty: none. */
  by = $state('');
  then = $state('');
  /** Name of the number that is shown first. */
  measure = $state('records');
  /** Column that is measured; empty: records are counted. */
  of = $state('');

  constructor(variable: string | null) {
    this.variable = variable;
  }
}
