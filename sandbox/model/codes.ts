export const words = (text: string): ReadonlySet<string> =>
  new Set(text.split(/[\s,]+/u).filter((word) => word !== ''));

/** The code lists of the contract ("Commodity codes (LTL)", "Handling units", "Address types"), spelled as there. */
export const ltlCommodities = words(`
  WoodPaperProducts LiquidsGasesChemicals StoneMetalsMinerals CommoditiesDryBulk GeneralFreight MixedFreight Utilities
  PharmaceuticalProducts Fertilizers PlasticsRubber TextilesLeather MiscellaneousManufacturedProducts
  OtherBusinessIndustrialGoods PaperProducts LogsandOtherWoodintheRough WoodProducts PaperorPaperboardArticles
  PrintedProducts LiquidsGases Chemicals CrudePetroleumOil WaterWell GasolineandAviationTurbineFuel FuelOils
  ChemicalProductsandPreparationsnec BuildingMaterials MachineryLargeObjects
  ElectronicandOtherElectricalEquipmentandComponentsandOfficeEquipment PrecisionInstrumentsandApparatus CoalorCoke
  MonumentalorBuildingStone NaturalSands GravelandCrushedStone NonMetallicMineralsnec MetallicOresandConcentrates
  CoalandPetroleumProductsnec NonMetallicMineralProducts Metalsheetscoilsrolls
  BaseMetalinPrimaryorSemiFinishedFormsandinFinishedBasic ArticlesofBaseMetal
  VehicleParts BoatParts RefrigeratedFood MeatFishSeafood CerealGrainsincludingseed AnimalFeedProductsofAnimalOrigin
  MilledGrainProductsPreparationsandBakeryProducts Beverages AlcoholicBeverages OtherPreparedFoodstuffsandFatsandOils
  TobaccoProducts OtherFoodAgriculture
  NewCommercialGoods UsedCommercialGoods WineLiquorBeerSpirits NonPerishableFoodsBeverages
  OtherLessthanTruckloadGoods`);

/** Both spellings of the pallet, because a sample of the contract writes the x small. */
export const handlingUnits = words(`
  Boxes Cartons Crates Drums Bags Bales Bundles Cans Carboys Carpets Cases Coils Cylinders Loose NoPackagingRequired
  PackagingHelpRequired Pallets48X40Inches Pallets48x40Inches Pails Reels Rolls TubesPipes Other`);

export const addressTypes = words(`
  Residence BusinessWithLoadingDockOrForklift BusinessWithoutLoadingDockOrForklift Port ConstructionSite
  TradeShowOrConvention StorageFacility MilitaryBase Airport OtherSecuredLocation`);

/** Route rule 6 writes `BusinessWithoutLoadingDock`; the lookup does not list it. */
export const addressTypeShortForms = words('BusinessWithoutLoadingDock');

export const liftgateAddressTypes = words(
  'Residence BusinessWithoutLoadingDock BusinessWithoutLoadingDockOrForklift',
);

/** In the order of the contract; the number 10 it gives for PriceCorrelationId is the place in this list, from 1. */
export const referenceTypes = [
  'Pickup',
  'Delivery',
  'Invoice',
  'PurchaseOrder',
  'SalesOrder',
  'Other',
  'Lot',
  'Release',
  'ThirdPartyTracking',
  'PriceCorrelationId',
  'ThirdPartyOrderNumber',
  'VIN',
  'SKU',
] as const;
export type ReferenceType = (typeof referenceTypes)[number];

export const listingServiceTypes = words('BlanketWrap LtlTransportOnly LtlFreightPackaging');
export const rateRequestAccessorials = words(
  'ProtectFromFreezing BlindShipmentCoordination SortAndSegregate ExcessiveLength',
);
/** Route rules 6 and 7, with `callAhead`, which a sample shows beside `callBeforeArrival`. */
export const stopAccessorials = words(`
  inside liftgateRequired callBeforeArrival callAhead appointmentRequired
  protectFromFreezing blindShipmentCoordination sortandSegregate`);
export const additionalServices = words('protectFromFreezing blindShipmentCoordination sortandSegregate');

export const timeFrameTypes = words('between before on');

export const freightClasses: readonly number[] = [
  50, 55, 60, 65, 70, 77.5, 85, 92.5, 100, 110, 125, 150, 175, 200, 250, 300, 400, 500,
];

export const transitStatuses: readonly string[] = ['ReadyForDispatch', 'Dispatched', 'PickedUp', 'Delivered'];
