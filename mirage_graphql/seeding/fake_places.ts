import { type FakeField, pickFor } from "./fakes.ts";

/** A place whose parts belong together. */
export interface FakePlace {
  readonly city: string;
  readonly region: string;
  readonly country: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
  readonly postcode: string;
  readonly street: string;
  readonly timeZone: string;
  readonly currency: string;
  readonly locale: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** City | region | country | code | postcode | street | time zone | currency | locale | lat | lng */
const ROWS = `
Lisbon|Lisboa|Portugal|PT|1100-053|Rua Augusta|Europe/Lisbon|EUR|pt-PT|38.71|-9.14
Oslo|Oslo|Norway|NO|0155|Karl Johans gate|Europe/Oslo|NOK|nb-NO|59.91|10.74
Kyoto|Kyoto|Japan|JP|604-8005|Kawaramachi|Asia/Tokyo|JPY|ja-JP|35.01|135.77
Accra|Greater Accra|Ghana|GH|GA-145|Oxford Street|Africa/Accra|GHS|en-GH|5.56|-0.18
Lima|Lima|Peru|PE|15001|Jirón de la Unión|America/Lima|PEN|es-PE|-12.05|-77.04
Ghent|East Flanders|Belgium|BE|9000|Veldstraat|Europe/Brussels|EUR|nl-BE|51.05|3.72
Quebec City|Quebec|Canada|CA|G1R 4P5|Rue Saint-Jean|America/Toronto|CAD|fr-CA|46.81|-71.21
Nairobi|Nairobi|Kenya|KE|00100|Kimathi Street|Africa/Nairobi|KES|en-KE|-1.28|36.82
Melbourne|Victoria|Australia|AU|3000|Collins Street|Australia/Melbourne|AUD|en-AU|-37.81|144.96
Pune|Maharashtra|India|IN|411001|Mahatma Gandhi Road|Asia/Kolkata|INR|en-IN|18.52|73.86
Austin|Texas|United States|US|78701|Congress Avenue|America/Chicago|USD|en-US|30.27|-97.74
Montevideo|Montevideo|Uruguay|UY|11000|Sarandí|America/Montevideo|UYU|es-UY|-34.91|-56.2
`;

const PLACES = ROWS.trim().split("\n").map(parseRow);

function parseRow(row: string): FakePlace {
  const [city = "", region = "", country = "", countryCode = "", postcode = "", ...rest] = row
    .split("|");
  const [street = "", timeZone = "", currency = "", locale = "", latitude, longitude] = rest;
  const place = {
    city,
    region,
    country,
    countryCode,
    postcode,
    street,
    timeZone,
    currency,
    locale,
  };
  return { ...place, latitude: Number(latitude), longitude: Number(longitude) };
}

/** The place of a record; all its fields, those of embedded objects included, agree on it. */
export function placeOf(field: FakeField): FakePlace {
  const [first, ...others] = PLACES;
  const { typeName, ownerName = typeName } = field;
  return pickFor([first ?? parseRow(""), ...others], { ...field, typeName: ownerName });
}

/** A place has its own currency; amounts have the same one everywhere, so that they can be added. */
export function currencyOf(field: FakeField): string {
  const isPlace = /country|place|address|location|region|market/i.test(field.typeName);
  return isPlace ? placeOf(field).currency : "USD";
}
