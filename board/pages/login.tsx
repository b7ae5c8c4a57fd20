import { Alert, Button, Container, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { keptPerson } from '../session';

interface Props {
  /** Why nobody is signed in any more. */
  readonly notice: string | null;
  readonly onToken: (token: string, person: string) => Promise<void>;
}

/** Asks for a token of the HTTP API. */
export function LoginPage({ notice, onToken }: Props): ReactNode {
  const [token, setToken] = useState('');
  const [person, setPerson] = useState(keptPerson());
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const signIn = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setIsSending(true);
    setProblem(null);
    try {
      await onToken(token.trim(), person.trim());
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setIsSending(false);
    }
  };
  const said = problem ?? notice;
  return (
    <Container size="xs" component="main" py="xl">
      <Title order={1} mb="md">
        Consign board
      </Title>
      <Paper withBorder p="lg">
        <form onSubmit={(event) => void signIn(event)}>
          <Stack>
            {said === null ? null : (
              <Alert color="red" title="Not signed in" role="alert">
                {said}
              </Alert>
            )}
            <PasswordInput
              label="Token"
              description="A token of the HTTP API; this tab keeps it until it is closed."
              required
              autoComplete="current-password"
              value={token}
              onChange={(event) => setToken(event.currentTarget.value)}
            />
            <TextInput
              label="Your name"
              description="It is added to the reason of each decision, and so to the timeline."
              required
              autoComplete="name"
              maxLength={60}
              value={person}
              onChange={(event) => setPerson(event.currentTarget.value)}
            />
            <Button type="submit" loading={isSending}>
              Sign in
            </Button>
            <Text size="sm" c="dimmed">
              The accounts file names the tokens, and what each may do.
            </Text>
          </Stack>
        </form>
      </Paper>
    </Container>
  );
}
