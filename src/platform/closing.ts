/** Registers what to close at the end; the last registered is closed first. */
export type OnClose = (close: () => Promise<unknown>) => void;

/** Closes everything that was registered, however `use` ends. */
export async function closingAll<T>(use: (onClose: OnClose) => Promise<T>): Promise<T> {
  const closers: (() => Promise<unknown>)[] = [];
  try {
    return await use((close) => closers.push(close));
  } finally {
    await closeLastFirst(closers);
  }
}

/** A failure does not keep the others from being closed. */
async function closeLastFirst(closers: readonly (() => Promise<unknown>)[]): Promise<void> {
  const last = closers.at(-1);
  if (last === undefined) return;
  try {
    await last();
  } finally {
    await closeLastFirst(closers.slice(0, -1));
  }
}
