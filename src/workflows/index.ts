export { accountPause } from './account-pause';
export { conformance } from './conformance';
export { endAcknowledged } from './events/end-acknowledged';
export { idempotencyKey } from './events/idempotency-key';
export { furnitureShipment } from './furniture/furniture-shipment';
export { lateEvent } from './events/late-event';
export { ltlShipment } from './ltl/ltl-shipment';
export { furnitureQuote, ltlQuote } from './quote';
export { unroutedEvent } from './events/unrouted-event';
