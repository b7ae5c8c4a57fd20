type Settled<R> = { readonly ok: true; readonly value: R } | { readonly ok: false; readonly error: unknown };

/**
 * The results of a work for each entry, in their order, with up to `width` under way at once. After a failure no other
 * work begins: the results of those under way follow, and then the failure is thrown. When the reader leaves early, the
 * iteration ends after the work under way.
 */
export async function* inParallel<T, R>(
  entries: Iterable<T> | AsyncIterable<T>,
  width: number,
  work: (entry: T) => Promise<R>,
): AsyncGenerator<R, void, void> {
  const underWay: Promise<Settled<R>>[] = [];
  const failures: unknown[] = [];
  const results = async (most: number): Promise<R[]> => {
    const ready: R[] = [];
    while (underWay.length > most) {
      const settled = await underWay.shift();
      if (settled?.ok === true) ready.push(settled.value);
      else failures.push(settled?.error);
    }
    return ready;
  };
  try {
    for await (const entry of entries) {
      underWay.push(settle(work(entry)));
      yield* await results(width - 1);
      if (failures.length > 0) break;
    }
    yield* await results(0);
  } finally {
    await Promise.all(underWay);
  }
  if (failures.length > 0) throw failures[0];
}

async function settle<R>(work: Promise<R>): Promise<Settled<R>> {
  try {
    return { ok: true, value: await work };
  } catch (error) {
    return { ok: false, error };
  }
}
