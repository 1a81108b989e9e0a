import { problemOf, type Client, type QueryProblem } from '../../lib/api.ts';
import { isEmpty, NO_DRAFT, toQuery, type Filter } from '../../lib/filter/filter.ts';

/** The record around which rows are wanted first, or the end of the list. */
type Near = number | 'end';

/** Result of applying a filter. */
interface Applied {
  /** Revision from which on the events of the view are about it. */
  readonly since: number;
  /** The reason why a part of it cannot be applied; the others are. */
  readonly problem: QueryProblem | null;
}

/**
 * Gives a view a filter; one that the engine refuses without what stands in the box, which is wrong while it is typed, or without any: what the filter before
 * selected must not stay below it.
 * @param near where rows are wanted first; undefined: at the beginning
 * @param isWanted whether there is no newer filter yet
 */
export async function applyFilter(
  client: Client,
  view: number,
  filter: Filter,
  near: Near | undefined,
  isWanted: () => boolean,
): Promise<Applied> {
  let problem: QueryProblem | null = null;
  for (const query of [toQuery(filter), toQuery({ ...filter, draft: NO_DRAFT }), {}]) {
    if (problem !== null && !isWanted()) break;
    try {
      return { since: (await client.request('view.query', { view, query, near })).revision, problem };
    } catch (error) {
      problem ??= problemOf(error);
    }
  }
  return { since: 0, problem };
}

/** The result of opening a view. */
interface Opened {
  /** null: there is none. */
  readonly view: number | null;
  /** The reason why it has no filter, or is not there. */
  readonly problem: QueryProblem | null;
}

/** Opens a view with a filter; one that the engine refuses, such as one of the session before, must not keep the records away. */
export async function openView(client: Client, filter: Filter): Promise<Opened> {
  try {
    return { view: (await client.request('view.open', { query: toQuery(filter) })).view, problem: null };
  } catch (error) {
    const problem = problemOf(error);
    if (isEmpty(filter)) return { view: null, problem };
    const plain = client.request('view.open', { query: {} });
    return plain.then(
      ({ view }) => ({ view, problem }),
      () => ({ view: null, problem }),
    );
  }
}
