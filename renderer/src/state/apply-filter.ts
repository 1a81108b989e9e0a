import { problemOf, type Client, type QueryProblem } from '../lib/api.ts';
import { NO_DRAFT, toQuery, type Filter } from '../lib/filter.ts';

/** What became of a filter. */
interface Applied {
  /** Revision from which on the events of the view are about it. */
  readonly since: number;
  /** The reason why a part of it cannot be applied; the others are. */
  readonly problem: QueryProblem | null;
}

/**
 * Gives a view a filter; one that the engine refuses without what stands in the box, which is wrong while it is typed, or without any: what the filter before
 * selected must not stay below it.
 * @param isWanted whether there is no newer filter yet
 */
export async function applyFilter(client: Client, view: number, filter: Filter, isWanted: () => boolean): Promise<Applied> {
  let problem: QueryProblem | null = null;
  for (const query of [toQuery(filter), toQuery({ ...filter, draft: NO_DRAFT }), {}]) {
    if (problem !== null && !isWanted()) break;
    try {
      return { since: (await client.request('view.query', { view, query })).revision, problem };
    } catch (error) {
      problem ??= problemOf(error);
    }
  }
  return { since: 0, problem };
}
