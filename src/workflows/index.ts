export { accountPause } from './account-pause';
export { conformance } from './conformance';
export { endAcknowledged } from './events/end-acknowledged';
export { furnitureShipment } from './furniture/furniture-shipment';
export { lateEvent } from './events/late-event';
export { ltlShipment } from './ltl/ltl-shipment';
export { notificationDelivery } from './notification-delivery';
export { furnitureQuote, ltlQuote } from './quote';
export { unroutedEvent } from './events/unrouted-event';
