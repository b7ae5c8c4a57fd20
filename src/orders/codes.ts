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

export const FREIGHT_CLASSES = words('50 55 60 65 70 77.5 85 92.5 100 110 125 150 175 200 250 300 400 500');

export const REFERENCE_TYPES = words(`
  Pickup Delivery Invoice PurchaseOrder SalesOrder Other Lot Release ThirdPartyTracking VIN SKU`);

export const LTL_SERVICES = words(
  'ProtectFromFreezing BlindShipmentCoordination SortAndSegregate ExcessiveLength',
);

/** Seen so far; the list is open, so that an unknown one is a warning. */
export const ADDRESS_TYPES = words(`
  Residence BusinessWithLoadingDockOrForklift BusinessWithoutLoadingDockOrForklift BusinessWithoutLoadingDock Port
  ConstructionSite TradeShowOrConvention StorageFacility MilitaryBase Airport OtherSecuredLocation`);

/** Stops without a dock: whether a liftgate is needed must be said (contract: route rule 6). */
export const WITHOUT_DOCK = words(
  'Residence BusinessWithoutLoadingDockOrForklift BusinessWithoutLoadingDock',
);

/** The code that is nearest to what was written, for the remedy; null when none is near. */
export function nearest(text: string, codes: readonly string[]): string | null {
  // Nothing that long is a misspelled code, and comparing it would take long.
  if (text.length > 100) return null;
  const wanted = text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  if (wanted === '') return null;
  // Half of a long code, or a short one written out: Pallet for Pallets48X40Inches, inches for in.
  const isBegun = (code: string): boolean =>
    (wanted.length >= 4 && code.toLowerCase().startsWith(wanted)) || wanted.startsWith(code.toLowerCase());
  const [begun, ...others] = codes.filter(isBegun);
  if (begun !== undefined && others.length === 0) return begun;
  const [best] = codes
    .map((code) => ({ code, distance: editDistance(wanted, code.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance);
  if (best === undefined) return null;
  // Two words that share no letter are no misspelling of each other, however short they are.
  const limit = Math.min(Math.max(2, Math.floor(wanted.length / 3)), best.code.length - 1, wanted.length - 1);
  return best.distance <= limit ? best.code : null;
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [i, a] of Array.from(left).entries()) {
    const next = [i + 1];
    for (const [j, b] of Array.from(right).entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (a === b ? 0 : 1)));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
