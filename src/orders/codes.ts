/** Code lists of the contract ("Commodity codes (LTL)", "Handling units", "Freight class", reference types). */
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

export const LTL_COMMODITIES = words(`
  WoodPaperProducts LiquidsGasesChemicals StoneMetalsMinerals CommoditiesDryBulk GeneralFreight MixedFreight Utilities
  PharmaceuticalProducts Fertilizers PlasticsRubber TextilesLeather MiscellaneousManufacturedProducts
  OtherBusinessIndustrialGoods PaperProducts LogsandOtherWoodintheRough WoodProducts PaperorPaperboardArticles
  PrintedProducts LiquidsGases Chemicals CrudePetroleumOil WaterWell GasolineandAviationTurbineFuel FuelOils
  ChemicalProductsandPreparationsnec BuildingMaterials MachineryLargeObjects
  ElectronicandOtherElectricalEquipmentandComponentsandOfficeEquipment PrecisionInstrumentsandApparatus CoalorCoke
  MonumentalorBuildingStone NaturalSands GravelandCrushedStone NonMetallicMineralsnec MetallicOresandConcentrates
  CoalandPetroleumProductsnec NonMetallicMineralProducts Metalsheetscoilsrolls
  BaseMetalinPrimaryorSemiFinishedFormsandinFinishedBasic ArticlesofBaseMetal VehicleParts BoatParts RefrigeratedFood
  MeatFishSeafood CerealGrainsincludingseed AnimalFeedProductsofAnimalOrigin
  MilledGrainProductsPreparationsandBakeryProducts Beverages AlcoholicBeverages OtherPreparedFoodstuffsandFatsandOils
  TobaccoProducts OtherFoodAgriculture NewCommercialGoods UsedCommercialGoods WineLiquorBeerSpirits
  NonPerishableFoodsBeverages OtherLessthanTruckloadGoods`);

export const HANDLING_UNITS = words(`
  Boxes Cartons Crates Drums Bags Bales Bundles Cans Carboys Carpets Cases Coils Cylinders Loose NoPackagingRequired
  PackagingHelpRequired Pallets48X40Inches Pails Reels Rolls TubesPipes Other`);

export const LTL_SERVICES = words(
  'ProtectFromFreezing BlindShipmentCoordination SortAndSegregate ExcessiveLength',
);

/** Seen so far. The list is open: an unknown type is only a warning. */
export const ADDRESS_TYPES = words(`
  Residence BusinessWithLoadingDockOrForklift BusinessWithoutLoadingDockOrForklift BusinessWithoutLoadingDock Port
  ConstructionSite TradeShowOrConvention StorageFacility MilitaryBase Airport OtherSecuredLocation`);
