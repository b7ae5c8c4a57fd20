import { createContext, use } from 'react';
import type { Caller } from './api';

/** Who uses the board. */
export interface Session extends Caller {
  /** Of the token: who decides, in timelines. */
  readonly name: string;
  readonly scopes: readonly string[];
  readonly accounts: readonly string[];
  /** Of the person; added to each reason. */
  readonly person: string;
  readonly signOut: () => void;
}

export const SessionContext = createContext<Session | null>(null);

/** The session of a page that only signed-in people see. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === null) throw new Error('nobody is signed in');
  return session;
}

// Of this tab only: another tab, and the next day, ask for the token again.
const TOKEN = 'consign-token';
const PERSON = 'consign-person';

export const keptToken = (): string | null => sessionStorage.getItem(TOKEN);
export const keptPerson = (): string => sessionStorage.getItem(PERSON) ?? '';

export function keep(token: string, person: string): void {
  sessionStorage.setItem(TOKEN, token);
  sessionStorage.setItem(PERSON, person);
}

export function forget(): void {
  sessionStorage.removeItem(TOKEN);
}
