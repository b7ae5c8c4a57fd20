import { Alert, Button, Group, Modal, Stack, Table, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { ListedDocument } from '../../src/domain/documents';
import { send, shipmentPath } from '../api';
import { useDocuments } from '../queries';
import { useSession } from '../session';
import { Decision } from './decision';
import { Problem, Read } from './page';

/** Images that a browser shows without running anything in them. */
const IMAGES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
/** The browser's own viewer shows it. Everything else is only saved: a page, for example, could run scripts. */
const PDF = 'application/pdf';

/** The documents of a shipment, to open or to save. */
export function Documents({
  account,
  orderId,
  isOpen,
}: {
  readonly account: string;
  readonly orderId: string;
  /** The shipment goes on, so that missing documents can be asked for. */
  readonly isOpen: boolean;
}): ReactNode {
  const documents = useDocuments(account, orderId, true);
  return (
    <Read of={documents}>
      {({ stored, billOfLading, wantedAttachments }) => (
        <Stack gap="xs">
          {billOfLading === 'unavailable' ? (
            <Alert color="orange" title="The marketplace gives no bill of lading for this booking" />
          ) : null}
          {stored.length === 0 ? <Text>No document yet.</Text> : null}
          {stored.length === 0 ? null : (
            <Table aria-label="Documents">
              <Table.Tbody>
                {stored.map((document) => (
                  <Table.Tr key={`${document.kind} ${document.id}`}>
                    <Table.Td className="words">
                      {nameOf(document)}
                      <Text size="sm" c="dimmed">
                        {document.fileName}, {Math.ceil(document.sizeInBytes / 1_024)} KiB
                      </Text>
                    </Table.Td>
                    <Table.Td>
                      <DocumentButtons account={account} orderId={orderId} document={document} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
          {wantedAttachments.length === 0 ? null : (
            <Text size="sm">{wantedAttachments.length} more are being fetched.</Text>
          )}
          {isOpen ? (
            <Group>
              <Decision
                label="Ask for missing documents"
                effect="Consign requests the documents from the marketplace again that it does not have."
                isGrave
                place={`${shipmentPath(account, orderId)}/documents/retry`}
              />
            </Group>
          ) : null}
        </Stack>
      )}
    </Read>
  );
}

const KINDS = { image: 'Image', billOfLading: 'Bill of lading', attachment: 'Attachment' } as const;

const nameOf = ({ kind, id, type }: ListedDocument): string =>
  kind === 'attachment' ? (type ?? KINDS[kind]) : `${KINDS[kind]} ${id}`;

function DocumentButtons({
  account,
  orderId,
  document,
}: {
  readonly account: string;
  readonly orderId: string;
  readonly document: ListedDocument;
}): ReactNode {
  const session = useSession();
  const [shown, setShown] = useState<string | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const { sha256, contentType, fileName } = document;
  const name = nameOf(document);
  const isPdf = contentType === PDF;
  /** Reads the document, because a link cannot send the token. @returns an address of this page alone */
  const read = async (): Promise<string> => {
    const answer = await send(session, `${shipmentPath(account, orderId)}/documents/${sha256}`);
    return URL.createObjectURL(new Blob([await answer.arrayBuffer()], { type: contentType }));
  };
  const attempt = async (what: () => Promise<void>): Promise<void> => {
    try {
      setError(null);
      await what();
    } catch (failed) {
      setError(failed instanceof Error ? failed : new Error(String(failed)));
    }
  };
  const open = async (): Promise<void> => {
    if (!isPdf) return setShown(await read());
    // At the click: browsers refuse a tab that opens later.
    const tab = window.open('about:blank');
    try {
      const url = await read();
      // Its address stays valid while the board is open: the viewer saves and prints from it.
      if (tab !== null) tab.location.href = url;
      else save(url, fileName);
    } catch (failed) {
      tab?.close();
      throw failed;
    }
  };
  return (
    <>
      <Group gap={4}>
        {isPdf || IMAGES.has(contentType) ? (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Open ${name}${isPdf ? ' in a new tab' : ''}`}
            onClick={() => void attempt(open)}
          >
            Open
          </Button>
        ) : null}
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Save ${name}`}
          onClick={() => void attempt(async () => save(await read(), fileName))}
        >
          Save
        </Button>
      </Group>
      {error === null ? null : <Problem error={error} title="The document cannot be read" />}
      <Modal
        opened={shown !== null}
        onClose={() => {
          if (shown !== null) URL.revokeObjectURL(shown);
          setShown(null);
        }}
        title={name}
        size="xl"
        lockScroll={false}
        transitionProps={{ duration: 0 }}
        closeButtonProps={{ 'aria-label': 'Close the document' }}
      >
        {shown === null ? null : <img src={shown} alt={name} style={{ maxWidth: '100%' }} />}
      </Modal>
    </>
  );
}

function save(url: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
