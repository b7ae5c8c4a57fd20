const trio = (value: string) => ({ value, label: `${value} (label)`, shortLabel: value });
const price = (value: number) => ({
  value,
  label: `$${value}`,
  shortLabel: `$${value}`,
  currencyType: trio('USD'),
});
const link = { rel: 'self', verb: 'GET', href: '/x', title: 'x' };

/** One whole answer for each read, as the contract describes it. */
export const goodAnswers = {
  getFixedPrice: {
    price: 226.97,
    nypAmount: 192.35,
    priceCorrelationId: '7f0c1b9e-5a3d-4a55-9a51-2f6f1c1f9a10',
    insuranceQuote: {
      coverageAmount: { amount: 2500, currencyType: 'USD' },
      premium: { amount: 36, currencyType: 'USD' },
    },
  },
  getListing: {
    listingId: 273679133,
    title: 'Oak table',
    description: 'An oak table',
    status: trio('Booked'),
    paymentStatus: trio('Unpaid'),
    transitStatus: trio('Dispatched'),
    cancellationStatus: null,
    hasPendingBookingRequest: false,
    serviceProvider: { userId: 7, displayName: 'Prairie Line', links: [link] },
    billOfLadingNumber: 44478289,
    namedPrice: price(192.35),
    acceptedBidPrice: price(192.35),
    totalCost: price(192.35),
    cancellationLink: 'https://h/cancel/1',
    bookedOn: '2030-05-01T10:20:30.1234567Z',
    completedOn: '',
    expiresOn: '2030-05-02T10:20:30Z',
    lastUpdatedOn: '2030-05-01T10:20:30',
    checksum: 'abc123',
    referenceNumbers: [
      { number: 'acme/o-1042', type: trio('ThirdPartyOrderNumber'), referenceNumberLabel: null },
      { number: 'Send - s-1', type: trio('Other'), referenceNumberLabel: 'Send' },
    ],
    route: {
      items: [{ address: { postalCode: '78701' } }, { address: { postalCode: 80202 } }],
      distanceInMeters: 1,
    },
    items: [{ title: 'Table', commodity: trio('Tables'), unitCount: 1 }],
    totalWeightInGrams: { value: '40000', label: '40 kg', shortLabel: '40 kg' },
    links: [link],
  },
  getListingContacts: { Shipper: { name: 'Ada' }, serviceProvider: { name: 'Bob' }, locations: {} },
  getTracking: {
    listingGeneratedId: 273679133,
    shipmentTrackingStatuses: [
      { status: trio('Dispatched'), dateSet: '2030-05-01T10:20:30Z', sequence: 1 },
      { status: 'PickedUp', setOn: '2030-05-02T10:20:30Z', label: 'x' },
    ],
    mostRecentLocation: [{ latitude: 31.5, longitude: -97.1, dateSet: '2030-05-01T10:20:30Z' }],
    mostRecentAddress: [{ majorMunicipality: 'Waco', stateProvince: 'TX', postalCode: '76701' }],
  },
  getBillOfLading: { billOfLadingNumber: 4711, document: { href: 'https://d/x?sig=1' } },
  getListingAttachment: {
    attachmentId: '9001',
    uri: 'https://d/claim.pdf?sig=1',
    fileName: 'claim.pdf',
    fileType: 'application/pdf',
    fileSize: 1234,
    dateCreated: '2030-05-01T10:20:30Z',
    uploaderId: 810001,
    attachmentType: trio('BillOfLading'),
    notes: 'dented',
    links: [link],
  },
  listRates: {
    totalCount: 2,
    items: [1, 2].map((number) => ({
      id: `5f0c1b9e5a3d4a559a512f6${number}`,
      created: '2030-05-01T10:20:30Z',
      expires: '2030-05-08T10:20:30Z',
      totalPrice: price(307.42),
      serviceType: trio('LtlTransportOnly'),
      transportMode: trio('Trucking'),
      vehicleType: trio('Van'),
      pickupTimeframe: { delay: 0, timeFrameType: trio('Relative') },
      deliveryTimeframe: { delay: 3, timeFrameType: trio('Relative') },
      additionalInformation: 'No weekends',
      bidder: {
        userId: 7,
        displayName: 'Prairie Line',
        feedback: { count: 12, percentPositive: 97.5, starRating: 4.7 },
        links: [link],
      },
    })),
  },
  getAcceptanceStatus: { response: '{"reason":"The carrier no longer offers this rate."}', statusCode: 409 },
  listPaymentMethods: {
    totalCount: 1,
    items: [
      {
        id: '2f0c1b9e-5a3d-4a55-9a51-2f6f1c1f9a10',
        type: trio('creditcard'),
        lastFour: '4242',
        isPrimary: true,
        active: true,
        expiration: { month: 12, year: 2031 },
        issuer: 'visa',
      },
    ],
  },
  listAddressTypes: { totalCount: 2, items: [trio('Residence'), trio('Port')] },
  getTrackingLink: { TrackingLinkUrl: 'https://t/273679133' },
} as const;
