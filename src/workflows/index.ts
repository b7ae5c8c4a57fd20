export { furnitureShipment } from './furniture-shipment';
export { ltlShipment } from './ltl-shipment';
export { unroutedEvent } from './unrouted-event';
