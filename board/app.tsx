import { Alert, Box, Button, Container, Group, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { json, type Caller } from './api';
import { LiveLists } from './live-lists';
import { useAttention } from './queries';
import { AccountsPage } from './pages/accounts';
import { EventsPage } from './pages/events';
import { LoginPage } from './pages/login';
import { NeedsYouPage } from './pages/needs-you';
import { ShipmentPage } from './pages/shipment';
import { ShipmentsPage } from './pages/shipments';
import { TodayPage } from './pages/today';
import { forget, keep, keptPerson, keptToken, SessionContext, useSession, type Session } from './session';

// The form is as large as all the rest together.
const QuotePage = lazy(async () => ({ default: (await import('./pages/quote')).QuotePage }));

type Facts = Pick<Session, 'name' | 'scopes' | 'accounts'>;

/** Signs in, or shows the pages. */
export function App(): ReactNode {
  const queries = useQueryClient();
  const [signedIn, setSignedIn] = useState<{ token: string; person: string; facts: Facts } | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const [isTrying, setIsTrying] = useState(keptToken() !== null);

  const leave = useCallback(
    (why: string | null) => {
      forget();
      queries.clear();
      setSignedIn(null);
      setNotice(why);
    },
    [queries],
  );
  const enter = useCallback(async (token: string, person: string) => {
    const caller: Caller = { token, onUnauthorized: forget };
    const facts = await json<Facts>(caller, '/token');
    keep(token, person);
    setNotice(null);
    setSignedIn({ token, person, facts });
  }, []);

  useEffect(() => {
    const token = keptToken();
    if (token === null) return;
    enter(token, keptPerson())
      .catch((error: unknown) => setNotice(error instanceof Error ? error.message : String(error)))
      .finally(() => setIsTrying(false));
  }, [enter]);

  const session = useMemo<Session | null>(
    () =>
      signedIn === null
        ? null
        : {
            ...signedIn.facts,
            token: signedIn.token,
            person: signedIn.person,
            signOut: () => leave(null),
            onUnauthorized: () => leave('The token is not valid any more. Sign in again.'),
          },
    [signedIn, leave],
  );
  if (session === null) return isTrying ? null : <LoginPage notice={notice} onToken={enter} />;
  return (
    <SessionContext value={session}>
      <LiveLists>
        <Shell />
      </LiveLists>
    </SessionContext>
  );
}

const PAGES = [
  ['/', 'Needs you'],
  ['/today', 'Today'],
  ['/shipments', 'Shipments'],
  ['/accounts', 'Accounts'],
  ['/events', 'Events'],
  ['/quote', 'Quote'],
] as const;

function Shell(): ReactNode {
  const session = useSession();
  const [place] = useLocation();
  const { data } = useAttention();
  const waiting = data?.entries.length ?? 0;
  const current = PAGES.findLast(([path]) => place === path || (path !== '/' && place.startsWith(path)));
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${current?.[1] ?? 'Board'} · Consign`;
  }, [waiting, current]);
  return (
    <>
      <a className="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      {/* One landmark: the library gives each dialog a header, which would be a second banner. */}
      <Box component="nav" aria-label="Pages" py="sm">
        <Container size="xl">
          <Group justify="space-between" gap="xs">
            <Group gap="xs">
              <Text fw={700} mr="xs">
                Consign
              </Text>
              <Group gap={4}>
                {PAGES.map(([path, name]) => (
                  <Button
                    key={path}
                    component={Link}
                    href={path}
                    size="compact-md"
                    variant={path === current?.[0] ? 'filled' : 'default'}
                    aria-current={path === current?.[0] ? 'page' : undefined}
                  >
                    {name}
                    {path === '/' && waiting > 0 ? (
                      <>
                        {' '}
                        ({waiting}
                        <VisuallyHidden> open</VisuallyHidden>)
                      </>
                    ) : null}
                  </Button>
                ))}
              </Group>
            </Group>
            <Group gap="xs">
              <Text size="sm" c="dimmed">
                {session.person === '' ? session.name : `${session.person}, by ${session.name}`}
              </Text>
              <Button size="compact-sm" variant="default" onClick={session.signOut}>
                Sign out
              </Button>
            </Group>
          </Group>
        </Container>
      </Box>
      <Container size="xl" component="main" id="main" tabIndex={-1} pb="xl">
        <Suspense fallback={<Text>Loading…</Text>}>
          <Switch>
            <Route path="/" component={NeedsYouPage} />
            <Route path="/today" component={TodayPage} />
            <Route path="/shipments" component={ShipmentsPage} />
            <Route path="/shipments/:account/:orderId">
              {({ account, orderId }) => (
                <ShipmentPage key={`${account}/${orderId}`} account={account} orderId={orderId} />
              )}
            </Route>
            <Route path="/accounts" component={AccountsPage} />
            <Route path="/events" component={EventsPage} />
            <Route path="/quote" component={QuotePage} />
            <Route path="/needs-you">
              <Redirect to="/" />
            </Route>
            <Route>
              <Title order={1}>No such page</Title>
              <Alert title="The address is wrong">Choose a page above.</Alert>
            </Route>
          </Switch>
        </Suspense>
      </Container>
    </>
  );
}

/** The place behind `#` is the page, so the browser cannot jump there itself. */
function skip(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#main')?.focus();
}
