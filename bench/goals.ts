import { atLeast, atMost } from './measurement';

/** The targets of the report. */
export const GOALS = {
  quickEvents: atMost(120),
  slowEvents: atMost(200),
  /** CPU per history event of the bare workflow with the same history, divided by that of the shipment. */
  shipmentCpu: atLeast(0.9),
  /** Throughput of the receiver, divided by that of the least possible receiver, at 10 and 50 concurrent requests. */
  receiver: atLeast(0.95),
  /** In MB. */
  memoryPerShipment: atMost(0.35),
  /** CPU per event with 3,000 open shipments, divided by that with 100. */
  cpuSlope: atMost(1.1),
  /** By how many percent measured readings may differ from simulated ones. */
  simulation: atMost(15),
  /** Start times in milliseconds. */
  workerReady: atMost(1_000),
  help: atMost(150),
  list: atMost(300),
} as const;
