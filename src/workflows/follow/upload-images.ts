import { sendAgainAfter } from '../../domain/jitter';
import { imagesOf } from '../../domain/documents';
import type { SendOutcome } from '../../domain/send-outcome';
import type { ImageTrouble } from '../../domain/shipment-state';
import { sendOnce } from '../run/send';
import type { ShipmentRun } from '../run/shipment-run';
import { confirmUnverified, listingIdOf } from '../listing/apply-record';

/** About an hour with the default pace. */
const MOST_TRIES = 16;

type NotTaken = Extract<SendOutcome<unknown>, { readonly kind: 'notSent' | 'accountTrouble' }>;

/**
 * Sends the images of a listing that nobody has booked. A failed image becomes a notice and never causes a second
 * listing. An image that cannot be sent now is tried again later, because a carrier may book the listing at any time.
 */
export async function uploadImages(run: ShipmentRun): Promise<void> {
  const images = imagesOf(run.input.shipment);
  if (!isAwaiting(run) || run.state.imagesTried >= images.length) return;
  const listingId = listingIdOf(run);
  await confirmUnverified(run, listingId);
  while (isAwaiting(run) && isDue(run) && !run.withdrawal.canBeDone() && !run.isLong()) {
    const image = images[run.state.imagesTried];
    if (image === undefined) return;
    const outcome = await sendOnce(
      run,
      async () => await run.activities.writes.uploadListingImage({ ...run.writeContext, listingId, image }),
    );
    applyOutcome(run, outcome);
  }
}

const isAwaiting = ({ state }: ShipmentRun): boolean => state.at.phase === 'awaitingBooking';

const isDue = ({ state: { imageTrouble } }: ShipmentRun): boolean =>
  imageTrouble === null || Date.parse(imageTrouble.tryAgainAt) <= Date.now();

function applyOutcome(run: ShipmentRun, outcome: SendOutcome<unknown>): void {
  const image = `image ${run.state.imagesTried + 1}`;
  if (outcome.kind === 'notSent' || outcome.kind === 'accountTrouble') {
    const tries = (run.state.imageTrouble?.tries ?? 0) + 1;
    if (tries < MOST_TRIES) {
      if (tries === 1) run.addTimeline(`${image} was not sent (${outcome.reason}); it is sent again`);
      run.update({ imageTrouble: troubleOf(run, outcome, tries) });
      return;
    }
  }
  run.update({ imagesTried: run.state.imagesTried + 1, imageTrouble: null });
  if (outcome.kind === 'done') run.addTimeline(`${image} uploaded`);
  else run.addWarning(`${image} was not uploaded: ${outcome.reason}`);
}

function troubleOf(run: ShipmentRun, outcome: NotTaken, tries: number): ImageTrouble {
  const pace = run.input.policy.notSentPace;
  const waitMs = outcome.kind === 'notSent' ? outcome.waitMs : null;
  const delayMs = sendAgainAfter({ pace, tries: tries - 1, waitMs, random: Math.random() });
  const tryAgainAt = new Date(Date.now() + Math.ceil(delayMs)).toISOString();
  return { reason: outcome.reason, tries, tryAgainAt };
}

/** The listing is booked: images that could not be sent become a notice. */
export function endImages(run: ShipmentRun): void {
  const { imageTrouble, imagesTried } = run.state;
  if (imageTrouble === null || isAwaiting(run)) return;
  const { length } = imagesOf(run.input.shipment);
  run.update({ imagesTried: length, imageTrouble: null });
  for (let image = imagesTried + 1; image <= length; image += 1)
    run.addWarning(`image ${image} was not uploaded before the booking: ${imageTrouble.reason}`);
}
