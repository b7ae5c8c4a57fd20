import './styles';
import './board.css';
import { createTheme, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { App } from './app';
import { isWorthRepeating } from './api';

const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: (tries, error) => tries < 3 && isWorthRepeating(error), staleTime: 2_000 },
    // A decision is repeated by the person who sees why it failed.
    mutations: { retry: false },
  },
});

const theme = createTheme({ cursorType: 'pointer', respectReducedMotion: true });

const root = document.querySelector('#board');
if (root === null) throw new Error('the page has no place for the board');
createRoot(root).render(
  <StrictMode>
    {/* Both would be inline styles, which the Content-Security-Policy refuses; board.css has what differs. */}
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queries}>
        {/* The place is behind `#`, which no server and no log receives. */}
        <Router hook={useHashLocation}>
          <App />
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
