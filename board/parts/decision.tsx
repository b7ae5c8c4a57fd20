import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Receipt } from '../../src/starter/client/request';
import { signed } from '../answers';
import { json } from '../api';
import { useRefresh } from '../queries';
import { useSession } from '../session';
import { Problem, Words } from './page';

interface Props {
  readonly label: string;
  /** Said before it is done. */
  readonly effect: string;
  readonly isGrave?: boolean;
  /** Where the decision is sent. */
  readonly place: string;
  /** Further fields of the dialog. */
  readonly children?: ReactNode;
  /** Null while a field is not right. */
  readonly bodyOf?: (reason: string) => Readonly<Record<string, unknown>> | null;
}

/** A button for a decision. It asks why, says what will happen, and shows what the API answers. */
export function Decision(props: Props): ReactNode {
  const { label, isGrave = false } = props;
  const [isOpen, setIsOpen] = useState(false);
  const [done, setDone] = useState<Receipt | null>(null);
  const session = useSession();
  if (!session.scopes.includes('decide')) return null;
  return (
    <>
      <Button variant={isGrave ? 'default' : 'filled'} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      {done === null ? null : (
        <Text role="status" size="sm">
          {done.outcome === 'accepted' ? `${label}: accepted.` : `${label}: nothing was left to do.`}
        </Text>
      )}
      <Modal
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title={label}
        // Locking would be an inline style, which the Content-Security-Policy refuses.
        lockScroll={false}
        transitionProps={{ duration: 0 }}
        closeButtonProps={{ 'aria-label': 'Close without deciding' }}
      >
        <DecisionForm
          {...props}
          onDone={(receipt) => {
            setDone(receipt);
            setIsOpen(false);
          }}
        />
      </Modal>
    </>
  );
}

function DecisionForm({
  label,
  effect,
  isGrave = false,
  place,
  children,
  bodyOf = (reason) => ({ reason }),
  onDone,
}: Props & { readonly onDone: (receipt: Receipt) => void }): ReactNode {
  const session = useSession();
  const refresh = useRefresh();
  const [reason, setReason] = useState('');
  const body = bodyOf(signed({ reason, person: session.person }));
  const decision = useMutation({
    mutationFn: async () => await json<Receipt>(session, place, { method: 'POST', body }),
    onSuccess: onDone,
    // Also after a refusal: the question may be another one now.
    onSettled: refresh,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        decision.mutate();
      }}
    >
      <Stack>
        <Alert color={isGrave ? 'orange' : 'blue'} title="What this does">
          <Words text={effect} />
        </Alert>
        {children}
        <Textarea
          label="Reason"
          description="It goes into the timeline of the shipment."
          required
          data-autofocus
          autosize
          minRows={2}
          maxLength={900}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Text size="sm" c="dimmed">
          {session.person === ''
            ? `Decided by ${session.name}.`
            : `Decided by ${session.name}, for ${session.person}.`}
        </Text>
        {decision.error === null ? null : <Problem error={decision.error} title="Not done" />}
        <Group>
          <Button type="submit" loading={decision.isPending} disabled={reason.trim() === '' || body === null}>
            {label}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
