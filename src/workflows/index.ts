export { accountPause } from './account-pause';
export { conformance } from './conformance';
export { endAcknowledged } from './end-acknowledged';
export { furnitureShipment } from './furniture-shipment';
export { lateEvent } from './late-event';
export { ltlShipment } from './ltl-shipment';
export { furnitureQuote, ltlQuote } from './quote';
export { unroutedEvent } from './unrouted-event';
