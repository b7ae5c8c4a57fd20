/**
 * Thrown instead of accepting another rate or closing the order, while a carrier may still book an earlier
 * acceptance. Its time may pass without any event: the phase loop asks, and looks again.
 */
export class StillConsidered extends Error {
  override readonly name = 'StillConsidered';
}
