const CATALOGUE = {
  'sofa-3': {
    title: 'Three-seat sofa, walnut legs',
    size: { length: 84, width: 38, height: 34, unit: 'in' },
    weightEach: { value: 142, unit: 'lb' },
  },
  'table-8': {
    title: 'Dining table, oak',
    size: { length: 94, width: 40, height: 30, unit: 'in' },
    weightEach: { value: 165, unit: 'lb' },
  },
};

/**
 * A sale as an order of Consign. The same sale must always give the same document, because another document of the same
 * id is refused: the days come from the sale and not from the clock.
 */
export function toOrder({ id, product, quantity, pickupBetween, deliverBefore, customer = {} }) {
  const { name, phone, email, ...address } = customer;
  const item = CATALOGUE[product] ?? {};
  return {
    kind: 'furniture',
    account: 'acme',
    orderId: id,
    title: item.title,
    origin: { location: 'dallas-dc' },
    destination: {
      addressType: 'Residence',
      contact: { name, phone, email },
      address: { ...address, country: 'US' },
    },
    pickup: { between: pickupBetween },
    delivery: { before: deliverBefore },
    items: [{ ...item, commodity: 'Furniture', quantity }],
  };
}
