export {
  AccountsError,
  loadAccounts,
  type AccountIntegration,
  type Accounts,
  type ApiScope,
  type ApiToken,
} from '../../accounts';
export type { ErrorKind } from '../../platform/error-kind';
export { EXIT_CODES, ExitCode } from '../../platform/exit-code';
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
export {
  connectTemporal,
  type ConnectTemporalOptions,
  type TemporalConnection,
} from '../../temporal/temporal-connection';
export type { Acknowledgement } from './acknowledge';
export type { QuestionAnswer } from './answer-question';
export type { AccountOverview, EventMeter } from './account-overview';
export type { AskOptions } from './ask-workers';
export type {
  AttentionEntry,
  AttentionOptions,
  AttentionReason,
  AttentionReport,
  StuckQueue,
} from './attention';
export type { FailingCall } from './failing-calls';
export {
  validateImport,
  type CheckOptions,
  type ImportProgress,
  type ImportSource,
  type InvalidRow,
  type ValidRow,
} from './check-import';
export {
  InvalidImportError,
  InvalidOrderError,
  KeyReusedError,
  NoAnswerError,
  NoQuestionError,
  NothingToAcknowledgeError,
  NotConfirmedError,
  NoWorkerError,
  RefusedError,
  SeveralListingsError,
  ShipmentEndedError,
  ShipmentFailedError,
  ShipmentNotFoundError,
  StaleQuestionError,
  TemporalRefusedError,
} from './errors';
export type { DueEntry, DueOptions, DueReport } from './due-shipments';
export type {
  EventKind,
  EventListOptions,
  EventPage,
  EventPageOptions,
  EventSummary,
  LateEvent,
} from './event-client';
export type { ExportedShipment, ExportOptions } from './export-shipments';
export type { ShipmentView } from './get-shipment';
export type { IdempotencyKey } from './idempotency-key';
export type { ConflictingRow, ImportOptions, RefusedRow, RowOutcome, StartedRow } from './import-orders';
export type { ListOptions, PageOptions, ShipmentPage, ShipmentSummary } from './list-shipments';
export type { ListVersions } from './list-versions';
export type { NotificationLog, StuckEndpoint, WaitingNotification } from './notifications';
export { OrderConflictError } from './order-conflict';
export type { ShipmentDocuments } from './order-documents';
export { validate, type GoodOrder, type OrderInput, type ReadOrder, type RefusedOrder } from './order-files';
export type { ImageOrigin } from './order-images';
export { prepareOrder, type OrderSetting, type PreparedOrder } from './prepare-order';
export type { Quote, QuoteOptions } from './quote-order';
export type { Receipt } from './request';
export type { Revision, RevisionPreview, RevisionStatement } from './revise-order';
export { saveDocuments, type SavedDocument, type SaveOptions } from './save-documents';
export { ShipmentClient } from './shipment-client';
export type { RestartStatement, StartableOrder, StartedShipment, StartOptions } from './start-order';
export { testNotifications, type TestedEndpoint } from './test-notifications';
export type { WatchOptions } from './watch-shipment';

// The types in the signatures above, because callers need their names too. A test holds the list complete.
export type { Statement } from '../../contract/messages';
export type { UnroutedEventResult } from '../../contract/workflow-input';
export type {
  AccountReport,
  AccountsReport,
  ApiTokenReport,
  EndpointReport,
  IntegrationReport,
  SecretReport,
} from '../../accounts/report';
export type { SecretState } from '../../accounts/secrets';
export type { AcceptanceSaid, EarlierAcceptance } from '../../domain/acceptance';
export type { AccountTrouble } from '../../domain/account-pause';
export type { AccountPin } from '../../domain/account-pin';
export type { AmendmentReport } from '../../domain/amendment';
export type { Witness } from '../../domain/booking-evidence';
export type { LeftOut } from '../../domain/bounds';
export type { DuplicateListing, Candidate, Place } from '../../domain/candidates';
export type { DeliveryWindow } from '../../domain/delivery-window';
export type {
  DocumentFacts,
  ListedDocument,
  StoredAttachment,
  StoredBillOfLading,
  StoredDocument,
  WantedAttachment,
} from '../../domain/documents';
export type { OpenDoubt, UnknownAcceptance, WriteAttempt } from '../../domain/doubt';
export type {
  AnsweredPrice,
  FixedPrice,
  FixedPriceAnswer,
  PriceWithoutPremium,
} from '../../domain/fixed-price';
export type { ExtraPrice, ListingExtras } from '../../domain/listing-extras';
export type { DueDays } from '../../domain/delivery-days';
export type { DueShipment } from '../../domain/due';
export type { Load } from '../../domain/listing-proof';
export type { KnownStatus, ListingStatus, StatusNames, TransitStatus } from '../../domain/listing-status';
export type { Carrier, ListingRecord, ReferenceNumber } from '../../domain/listing';
export type { BookingPaper, MissingPaper, Paper, PaperFacts } from '../../domain/missing-papers';
export type { Lateness, LatenessKind } from '../../domain/lateness';
export type {
  DeliveryLine,
  DeliveryOutcome,
  DeliveryTrouble,
  FailingEndpoint,
} from '../../domain/notification-delivery';
export type {
  News,
  Notification,
  NotificationKind,
  NotifiedDocument,
  NotifiedOrder,
  NotifiedQuestion,
  OrderOutcome,
} from '../../domain/notifications';
export type { NotificationEndpoint } from '../../notifications/endpoint';
export type { EndpointAnswer } from '../../notifications/send';
export type { Money } from '../../domain/money';
export type { PriceChange } from '../../domain/price-watch';
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
export type { LeftOut as UnreadRates } from '../../domain/left-out';
export type { LtlQuote } from '../../domain/quote';
export type { RateCause } from '../../domain/rate-cause';
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
  Phase,
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
export type { Delimiter } from '../../orders/csv-text';
export type { ImportFormat, PlacedProblem, RowOptions } from '../../orders/order-rows';
export type { Fix, Problem } from '../../orders/problem';
export type { OrderDocument } from '../../orders/schema';
export type { Environment } from '../../platform/secret-reference';
