export { WorkflowFailedError } from '@temporalio/client';
export { AccountsError, loadAccounts, type AccountIntegration, type Accounts } from '../../accounts';
export { ExitCode } from '../../platform/exit-code';
export {
  createBucketStore,
  createFolderStore,
  FileStoreError,
  type BucketLocation,
  type FileStore,
} from '../../platform/file-store';
export { UserError, type UserErrorOptions } from '../../platform/user-error';
export { TemporalUnreachableError } from '../../temporal/client-connection';
export { EncryptionFileError } from '../../temporal/encryption/encryption-file';
export { EncryptionKeyError } from '../../temporal/encryption/payload-codec';
export { TemporalSettingsError, type ExistingCluster } from '../../temporal/existing-cluster';
export { connectTemporal, type TemporalConnection } from '../../temporal/temporal-connection';
export { readOrder, readOrderFile, type GoodOrder, type ReadOrder, type RefusedOrder } from './order-files';
export { ImageError, storeImages } from './order-images';
export * from './shipment-client';

// What the signatures above name, so that a caller can name it too. A test holds the list complete.
export type { AccountReport, AccountsReport, IntegrationReport, SecretReport } from '../../accounts/report';
export type { SecretState } from '../../accounts/secrets';
export type { AcceptanceSaid, EarlierAcceptance } from '../../domain/acceptance';
export type { AccountTrouble } from '../../domain/account-pause';
export type { AccountPin } from '../../domain/account-pin';
export type { AmendmentReport } from '../../domain/amendment';
export type { Witness } from '../../domain/booking-evidence';
export type { LeftOut } from '../../domain/bounds';
export type { Beside, Candidate, Place } from '../../domain/candidates';
export type { DeliveryWindow } from '../../domain/delivery-window';
export type {
  DocumentFacts,
  StoredAttachment,
  StoredBillOfLading,
  StoredDocument,
  WantedAttachment,
} from '../../domain/documents';
export type { OpenDoubt, WriteAttempt } from '../../domain/doubt';
export type { AnsweredPrice, FixedPrice } from '../../domain/fixed-price';
export type { ExtraPrice, ListingExtras } from '../../domain/listing-extras';
export type { Load } from '../../domain/listing-proof';
export type { KnownStatus, ListingStatus, StatusNames, TransitStatus } from '../../domain/listing-status';
export type { Carrier, ListingRecord, ReferenceNumber } from '../../domain/listing';
export type { BookingPaper, MissingPaper, Paper, PaperFacts } from '../../domain/missing-papers';
export type { Money } from '../../domain/money';
export type {
  MissedPickupRule,
  PollPace,
  RatePreference,
  RateRule,
  ShipmentPolicy,
} from '../../domain/policy';
export type { AgreedPrice } from '../../domain/price-objections';
export type {
  Answer,
  AnswerKind,
  NewQuestion,
  Offer,
  OrderRevision,
  Question,
  QuestionKind,
} from '../../domain/question';
export type { RateDecision, RateLoss } from '../../domain/rate-choice';
export type { LtlRate, RateCarrier, RateDescription } from '../../domain/rate';
export type { EventCounts, SeenDigest } from '../../domain/seen-events';
export type {
  DeliveredResult,
  ShipmentResult,
  Withdrawal,
  WithdrawnResult,
} from '../../domain/shipment-result';
export type {
  UnverifiedListing,
  ImageTrouble,
  PhaseState,
  RateRequest,
  Said,
  ShipmentFacts,
  ShipmentState,
  TimelineEntry,
  UnreadableListing,
} from '../../domain/shipment-state';
export type {
  Address,
  Contact,
  FurnitureItem,
  FurnitureShipment,
  IsoDate,
  IsoInstant,
  LtlItem,
  LtlShipment,
  OrderReference,
  Shipment,
  ShipmentBase,
  ShipmentKind,
  Stop,
  StopServices,
  StoredImage,
  TimeFrame,
  TimeFrameType,
} from '../../domain/shipment';
export type { Details, KnownContacts, Tracking } from '../../domain/tracking';
export type { CountedValue } from '../../domain/unknown-values';
export type {
  MarketplaceAccount,
  MarketplaceAuth,
  MarketplaceSettings,
  SecretSource,
  WebSignIn,
} from '../../marketplace/account';
export type { Operation } from '../../marketplace/sort-outcome';
export type { OrderAccount } from '../../orders/order-account';
export type { Fix, Problem } from '../../orders/problem';
export type { Environment } from '../../platform/secret-reference';
