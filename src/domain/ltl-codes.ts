/** Lists from the contract that also help to explain why no rate came. */
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

export const FREIGHT_CLASSES = words('50 55 60 65 70 77.5 85 92.5 100 110 125 150 175 200 250 300 400 500');

/** Stops without a dock: the order must say whether they need a liftgate (contract: route rule 6). */
export const WITHOUT_DOCK = words(
  'Residence BusinessWithoutLoadingDockOrForklift BusinessWithoutLoadingDock',
);
