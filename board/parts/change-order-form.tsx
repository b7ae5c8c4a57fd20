import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { orderDocument } from '../../src/domain/order-document';
import type { Shipment } from '../../src/domain/shipment';
import type { Revision, RevisionPreview } from '../../src/starter/client/revise-order';
import { signed } from '../answers';
import { json, shipmentPath } from '../api';
import { useRefresh } from '../queries';
import { changedText, doneText, effectOf } from '../revisions';
import { useSession } from '../session';
import { intoView } from './page';
import { documentIn, draftOf, OrderEditor, OrderProblems, type Document } from './order-editor';

/** An order to change. What the change will do is said first, and only what was said can be done. */
export function ChangeOrderForm({
  order,
  onDone,
}: {
  readonly order: Shipment;
  readonly onDone: (revision: Revision) => void;
}): ReactNode {
  const session = useSession();
  const refresh = useRefresh();
  const { account, orderId, kind } = order;
  const place = `${shipmentPath(account, orderId)}/revise`;
  const [draft, setDraft] = useState(() => draftOf(orderDocument(order), kind));
  const [reason, setReason] = useState('');
  const document = documentIn(draft);
  const preview = useMutation({
    mutationFn: async (changed: Document) =>
      await json<RevisionPreview>(session, `${place}/preview`, {
        method: 'POST',
        body: { order: changed, keepUnnamed: true },
      }),
  });
  const change = useMutation({
    mutationFn: async ({ questionId }: RevisionPreview) =>
      await json<Revision>(session, place, {
        method: 'POST',
        body: {
          ...{ order: preview.variables, keepUnnamed: true, questionId },
          reason: signed({ reason, person: session.person }),
        },
      }),
    onSuccess: (revision) => {
      if (!isRefused(revision)) onDone(revision);
    },
    // Also after a refusal: the order may be elsewhere now.
    onSettled: refresh,
  });
  const isPreviewed =
    preview.data !== undefined && JSON.stringify(preview.variables) === JSON.stringify(document);
  const error = change.error ?? preview.error;
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        Sizes are in meters and weights in grams, as Consign keeps them. The order keeps its images and its
        policy unless the JSON names others.
      </Text>
      <OrderEditor draft={draft} onChange={setDraft} accounts={null} error={error} />
      <Group>
        <Button
          variant="default"
          loading={preview.isPending}
          disabled={document === null}
          onClick={() => {
            change.reset();
            if (document !== null) preview.mutate(document);
          }}
        >
          See what it does
        </Button>
        <Text size="sm" c="dimmed">
          This changes nothing.
        </Text>
      </Group>
      {error === null ? null : <OrderProblems error={error} />}
      {isPreviewed && preview.data !== undefined ? (
        <form
          ref={intoView}
          onSubmit={(event) => {
            event.preventDefault();
            if (preview.data !== undefined) change.mutate(preview.data);
          }}
        >
          <Stack>
            <Alert color="orange" title="What this does">
              {effectOf(preview.data)}
              <Text size="sm" mt="xs">
                {changedText(preview.data)}
              </Text>
            </Alert>
            <Textarea
              label="Reason"
              description="It goes into the timeline of the shipment."
              required
              autosize
              minRows={2}
              maxLength={900}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
            {change.data !== undefined && isRefused(change.data) ? (
              <Alert color="red" title="Not changed" role="alert">
                {doneText(change.data)}
              </Alert>
            ) : null}
            <Group>
              <Button type="submit" loading={change.isPending} disabled={reason.trim() === ''}>
                Change the order
              </Button>
            </Group>
          </Stack>
        </form>
      ) : null}
    </Stack>
  );
}

const isRefused = (revision: Revision): boolean =>
  revision.kind === 'change' && revision.report.status === 'refused';
