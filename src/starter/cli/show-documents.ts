import { listDocuments, type DocumentFacts, type ListedDocument } from '../../domain/documents';
import { printable } from './printable';

const KINDS = { image: 'image', billOfLading: 'bill of lading', attachment: 'attachment' } as const;

/** `attachment 5512 (ProofOfDelivery)`; without control characters, because the text is foreign. */
export function documentTitle({ kind, id, type }: ListedDocument): string {
  return printable(`${KINDS[kind]} ${id}${type === null ? '' : ` (${type})`}`);
}

/** `812 B`, `12.3 kB`, `4.0 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Documents that are still awaited, or never became ready. */
export function missingLines({
  billOfLading,
  wantedAttachments,
}: Pick<DocumentFacts, 'billOfLading' | 'wantedAttachments'>): string[] {
  return [
    ...(billOfLading === 'unavailable' ? ['bill of lading: never became ready'] : []),
    ...wantedAttachments.map(({ attachmentId, since }) =>
      printable(`attachment ${attachmentId}: Consign has been trying to fetch it since ${since}`),
    ),
  ];
}

/** The documents of a shipment, as `consign show` lists them. */
export function documentLines(state: DocumentFacts): string[] {
  const stored = listDocuments(state).map((document) => {
    const { fileName, contentType, sizeInBytes } = document;
    return `${documentTitle(document)}: ${printable(fileName)}, ${contentType}, ${sizeText(sizeInBytes)}`;
  });
  return [...stored, ...missingLines(state)].map((line) => `  ${line}`);
}
