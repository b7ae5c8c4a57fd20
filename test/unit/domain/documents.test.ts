import { leftIds } from '../../../src/domain/candidates';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { LIST_LIMITS } from '../../../src/domain/bounds';
import { attachmentsNamed, listDocuments, wantAttachments } from '../../../src/domain/documents';
import { enterPhase, initialState, leaveListing } from '../../../src/domain/shipment-state';
import { aFurnitureShipment } from '../../support/builders';

const AT = '2035-03-01T00:00:00.000Z';
const file = { fileName: 'a.pdf', contentType: 'application/pdf', sizeInBytes: 3, sha256: 'f'.repeat(64) };
const anAttachment = (attachmentId: string) => ({
  ...file,
  ...{ attachmentId, fetchedAt: AT, attachmentType: 'ProofOfDelivery', fileType: null, notes: null },
});

test('an attachment is wanted once, however many events name it, and not again once it is there', () => {
  const none = { attachments: [], wantedAttachments: [] };
  const { wantedAttachments } = wantAttachments(none, ['1', '2', '1'], AT);
  expect(wantedAttachments.map(({ attachmentId }) => attachmentId)).toEqual(['1', '2']);
  const facts = { attachments: [anAttachment('3')], wantedAttachments };
  expect(wantAttachments(facts, ['2', '3'], AT)).toEqual({ wantedAttachments, refused: [] });
});

test('there are never more attachments than fit, and the rest is counted', () => {
  const ids = fc.array(fc.nat({ max: 300 }).map(String), { maxLength: 200 });
  fc.assert(
    fc.property(fc.array(ids, { maxLength: 5 }), (events) => {
      let facts: Parameters<typeof wantAttachments>[0] = { attachments: [], wantedAttachments: [] };
      const told = new Set<string>();
      for (const event of events) {
        const { wantedAttachments, refused } = wantAttachments(facts, event, AT);
        facts = { ...facts, wantedAttachments };
        for (const id of refused) told.add(id);
      }
      const wanted = facts.wantedAttachments.map(({ attachmentId }) => attachmentId);
      expect(wanted.length).toBeLessThanOrEqual(LIST_LIMITS.attachments.count);
      expect(new Set(wanted).size).toBe(wanted.length);
      expect(new Set([...wanted, ...told])).toEqual(new Set(events.flat()));
    }),
  );
});

test('documents stay known from phase to phase', () => {
  const image = { ...file, fileName: 'sofa.png', contentType: 'image/png' };
  const state = {
    ...initialState(aFurnitureShipment({ images: [image] })),
    billOfLading: { ...file, billOfLadingNumber: '44', fetchedAt: AT },
    attachments: [anAttachment('9')],
    wantedAttachments: [{ attachmentId: '10', since: AT }],
  };
  const next = enterPhase(state, { phase: 'settled', listingId: '7', deliveredAt: AT });
  expect(next.wantedAttachments).toEqual(state.wantedAttachments);
  expect(listDocuments(next).map(({ kind, id, type }) => [kind, id, type])).toEqual([
    ['image', '1', null],
    ['billOfLading', '44', null],
    ['attachment', '9', 'ProofOfDelivery'],
  ]);
});

test.each([null, 'unavailable' as const])('a bill of lading that is %s is no document', (billOfLading) => {
  expect(listDocuments({ ...initialState(aFurnitureShipment()), billOfLading })).toEqual([]);
});

test('open attachments are dropped when the order leaves their listing; stored ones stay', () => {
  const state = {
    ...initialState(aFurnitureShipment()),
    attachments: [anAttachment('9')],
    wantedAttachments: [{ attachmentId: '10', since: AT }],
  };
  const next = leaveListing(enterPhase(state, { phase: 'booked', listingId: '7' }), '7');
  expect(next).toMatchObject({ attachments: [{ attachmentId: '9' }], wantedAttachments: [] });
  expect(attachmentsNamed({ listingIds: ['7'], attachmentIds: ['11'] }, leftIds(next))).toEqual([]);
  expect(attachmentsNamed({ listingIds: ['8'], attachmentIds: ['11'] }, leftIds(next))).toEqual(['11']);
  expect(attachmentsNamed({ listingIds: [] }, [])).toEqual([]);
});
