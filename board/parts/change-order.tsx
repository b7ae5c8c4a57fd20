import { Button, Modal, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { Shipment } from '../../src/domain/shipment';
import type { Revision } from '../../src/starter/client/revise-order';
import { json, shipmentPath } from '../api';
import { doneText } from '../revisions';
import { useSession } from '../session';
import { Problem } from './page';

// The form is as large as all the rest together.
const ChangeOrderForm = lazy(async () => ({
  default: (await import('./change-order-form')).ChangeOrderForm,
}));

/** A button that opens the order to change it: the answer `revise` of a question, or a change of the open listing. */
export function ChangeOrder({
  account,
  orderId,
}: {
  readonly account: string;
  readonly orderId: string;
}): ReactNode {
  const session = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const [done, setDone] = useState<Revision | null>(null);
  // Read when the dialog opens, and not again: what a person has written must not be replaced.
  const order = useMutation({
    mutationFn: async () => await json<Shipment>(session, `${shipmentPath(account, orderId)}/order`),
  });
  if (!session.scopes.includes('decide')) return null;
  return (
    <>
      <Button
        variant="default"
        onClick={() => {
          setDone(null);
          setIsOpen(true);
          order.mutate();
        }}
      >
        Change the order
      </Button>
      {done === null ? null : (
        <Text role="status" size="sm">
          {doneText(done)}
        </Text>
      )}
      <Modal
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Change ${account}/${orderId}`}
        size="xl"
        lockScroll={false}
        transitionProps={{ duration: 0 }}
        closeButtonProps={{ 'aria-label': 'Close without a change' }}
      >
        {order.error === null ? null : <Problem error={order.error} />}
        {order.isPending ? <Text>Loading…</Text> : null}
        {order.data === undefined ? null : (
          <Suspense fallback={<Text>Loading…</Text>}>
            <ChangeOrderForm
              order={order.data}
              onDone={(revision) => {
                setDone(revision);
                setIsOpen(false);
              }}
            />
          </Suspense>
        )}
      </Modal>
    </>
  );
}
