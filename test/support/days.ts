/** The day so many days from now, in UTC. */
export const dayOf = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
