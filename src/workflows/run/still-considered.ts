/**
 * Thrown where another rate would be taken or the order closed, while a carrier may still book what was accepted before.
 * Its time may pass without any event: the driver asks, and looks again.
 */
export class StillConsidered extends Error {
  override readonly name = 'StillConsidered';
}
