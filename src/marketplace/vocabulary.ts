/**
 * The words of an answer that may be shown, although it is unknown whose data the answer repeats. The list is closed:
 * anything else, such as a name, street or key, is never shown, in any form.
 */
const WORDS = `
a about above accept acceptable acceptance accepted access accessorial accessorials accommodate accommodated according
account account's accounts across action activated activation active actual add added additional address addresses
adjusted adjustment admin administrator affiliate after again against ago agreement ahead all allow allowed allowlist
already also alternate always amount amountdue amounts an and another answer any api app appear application applied
apply appointment approval approved archived are aren't array arrival as ask asked at attach attachment attachments
attempt attribute attributes auction auth authenticate authenticated authentication authorisation authorise authorised
authorization authorize authorized auto availability available away back bad bank bankaccount based batch be because
been before began begin being below between beyond bid bidder bids bill billing billoflading blank blind blocked body
bol book booked booking boolean both breakdown broke broken broker bulk business businesswithloadingdock busy but by
cad call caller can can't cancel canceled cancellation cancelled cannot capacity card cargo carrier carrier's carriers
cause certificate change changed changes character characters charge charged check checksum choose chosen city class
client close closed code code's codes collection combination come commercial commodities commodity company complete
completed concurrent condition conditions confidential confirm confirmation confirmed conflict conflicted connection
considered consignee consignor constraint constraints contact contacts contain contains content contract contractually
coordinates coordination correct correlation cost could couldn't count country coverage crash crated create created
creating creation credential credentials credit creditcard currencies currency currencytype current currently customer
customers daily damage damaged data database date dates day days deactivated deadline debit decimal decimals declared
decline declined default delay delayed delete deleted delivered delivering delivery denied deposit depth description
destination detail details developer did different dimension dimensions disabled discount dispatch dispatched display
dispute disputed distance do dock document documents does doesn't dollar domain don't done down draft driver due
duplicate duplicated duplicates during dutch each earlier earliest early edit either element elements eligible email embargo embargoed
empty enabled end ended ending endpoint enough enter entered entity enum enumeration environment equal equipment error
errors estimate estimated event every exact exceed exceeded exceeds except exception excessive execution exist
existing exists expected expiration expire expired expires expiry extra fail failed failure false feature fee feedback
field fields file files final find first fit fixed for forbidden form format found frame freezing freight from full
funds furniture future gallery gateway general generic geocode get give given goods grams grant greater guid had
handling happened has hasn't have haven't hazardous hazmat header headers heavy height held here hidden higher hold
holiday hour hours http i id identical ids if image images implemented import in inactive inch inches incomplete
incorrect ineligible information inner inside inspection instant insufficient insurance insured integer integrator
integratorid internal international into invalid invalidrequest invoice ip is isn't issue issuer it item itemid items
itinerary its json key keys kilograms kind known label labels lading large larger last late later latest latitude
least left length less level liftgate limit limited limits line lines link list listed listing listing's listingid
listings load loaded loading loadingdock location locations locked login long longer longitude lookup loss low lower
lowest ltl made maintenance major make malformed mandatory market marketplace match matches matching max maximum
maxlength may measure media member message metadata meter meters method methods miles min minimum minute minutes
mismatch missing mode model modification modified modify moment money month more most moved much multi multiple
municipality must my name named names near need needed needs negative network never new newer next nmfc no none
nonexistent not note notes notfound nothing notice notification now null number numbers nyp oauth object occurred of
off offer offers old on once one ones onhold only open operation option optional or order orders origin other our out
outage outcome outdated outer outside over overloaded overweight own package packaging page pages pallet palletized
pallets parameter parameters parse parsed part partial partner party password past path pay payer payload payment
paymentmethod payments pending per percent period permanent permission permissions permitted phone pickup piece pieces
place placed plan please point policy port positive possible post postal postalcode pounds precise premium present
previous price prices pricing primary prior private pro problem process processed processing production prohibited
promotion proof property protect protection provide provided provider provider's province proxy publish published
purchase put quantity query question questions quota quote quoted quotes range rate raterequest raterequests rates
rating reach reached read ready reason reasons receive received recent recipient record records reduce reference
references refresh refund refuse refused refuses region regions register registered reject rejected relist remain
remaining remove removed renew repeat request requested requests require required requires residence residential
resource response restricted result results retry return returned review revoked role route routes rule rules same
sandbox save saved schedule scheduled schema scheme scope second seconds secret section security see segregate select
selected send sender sent serve served server service services session set settlement several severity shall shipment shipments
shipper shipper's shipperid shipping short should shouldn't show sign signature signin single site size sizes small so
some soon sooner sort source space specified ssl stackable stairs stale star start started state status statuses stop
stops store street string submit submitted such sufficient suggested summary support supported suspended suspension
system take taken target temporarily temporary term terminal terminated terms test text than that the their them then
there therefore these they thing third thirdparty thirdpartyid this those throttled through thrown time timed
timeframe timeframes timeout timestamp title tls to today together token too top total trace track tracking transit
translation transport trial tried truck true try twice type types unable unacceptable unauthenticated unauthorised
unauthorized unavailable unbooked undefined undelivered under unexpected unhandled unique unit units unknown unless
unlisted unprocessable unpublished unread unsupported unsupportedmediatype until up update updated upload uploader
upon ups uri url us usd use used user username uses using utc valid validate validation value values vehicle vehicles
verification verified verify version versions very via view volume wait want warehouse warning was wasn't way we web
webhook week weekend weight well were what when where whether which while whitelist whitelisted who whole why width
window windows with within without won't work wrong xml year yes yet you your zero zip zone
`;

const VOCABULARY: ReadonlySet<string> = new Set(WORDS.split(/\s+/).filter((word) => word !== ''));

/** Whether a word, in any case, is in the list. */
export const isVocabulary = (word: string): boolean => VOCABULARY.has(word.toLowerCase());

/** Splits `route.stops[0].postalCode` into `route`, `stops`, `0`, `postal` and `Code`. */
const PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;

/** Whether a code or field path consists only of listed words and short numbers, as those of the contract do. */
export function isIdentifier(text: string): boolean {
  if (!/^[$A-Za-z][$A-Za-z0-9_.[\]-]{0,99}$/.test(text)) return false;
  const parts = text.match(PARTS) ?? [];
  return (
    parts.length > 0 && parts.every((part) => (/^[0-9]/.test(part) ? part.length < 3 : isVocabulary(part)))
  );
}
